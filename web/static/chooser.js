// An action is chosen step by step, from a list or on the board, previewed and confirmed. The table
// and the what-if lines choose alike; what they send their choice to is their own.
import { cityName, clearBoard, focusBoard, hexAt, light, putBeside, tellLit } from "./lit_board.js";
import { addRule, ruleLink, tipLink } from "./rule_link.js";
import { isShortcut, shortcutsOn } from "./shortcuts.js";
import { stepsOf } from "./steps.js";
import { name, say, word } from "./words.js";
import { gains, inWords, isPoor } from "./yields.js";

const PATIENCE = 700;

function button(text, act, kind = "") {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  if (kind) made.className = kind;
  made.addEventListener("click", act);
  return made;
}

function heading(text) {
  const made = document.createElement("h2");
  made.textContent = text;
  return made;
}

// Whether a list of hexes was unfolded holds for this browser.
const LISTS = "lacitta-lists";
function remembered(open) {
  try {
    if (open === undefined) return localStorage.getItem(LISTS) === "open";
    localStorage.setItem(LISTS, open ? "open" : "");
  } catch {
    // Then it is folded.
  }
  return Boolean(open);
}

function fits({ action, steps }, pick) {
  if (pick.key === "action") return JSON.stringify(action) === pick.value;
  if (pick.key === "hex") return steps.some((step) => step.hex === pick.value);
  return steps.some((step) => step.key === pick.key && step.value === pick.value);
}

function isPlainAt(action, label) {
  return (action.type === "build" && action.card === "action") || (action.type === "found" && action.at === label);
}

// The same action elsewhere: everything but its hex is the same.
function otherwise(action) {
  const { at, ...rest } = action;
  return at ? JSON.stringify(rest) : "";
}

// Which chooser the keys are for: the one that asked last.
let current = null;
document.addEventListener("keydown", (event) => {
  if (!current || current.turn.hidden || !/^[1-9]$/.test(event.key) || !isShortcut(event)) return;
  const found = current.turn.querySelector(`.options button[data-key="${event.key}"]:enabled`);
  if (!found?.offsetParent && !found?.closest(".beside")) return;
  event.preventDefault();
  current.byKey = true;
  found.click();
});

export class Chooser {
  // `preview(action)` and `confirm(action)` ask the server; `done()` follows an accepted action;
  // `hint()` asks what a bot would do; `whyNot(card)` says why a card cannot be taken; `title`
  // stands before every question; with `close()` one may also choose nothing. Where `direct` is
  // set, what an action card does on a hex is done at once: its cost and yield were shown.
  constructor({ turn, title, preview, confirm, done, hint, close, direct = false, whyNot = () => {} }) {
    Object.assign(this, { turn, title, preview, confirm, done, hint, close, direct, whyNot });
    this.worth = new Map();
    this.holds = {};
    this.falls = {};
    this.byKey = false;
    this.actions = [];
    this.picks = [];
    this.suggestion = null;
    this.declined = "";
    this.guessing = false;
    this.hinted = null;
    this.asking = null;
    this.plainBoard = "";
    this.paused = false;
    this.shown = 0;
  }

  // What can be chosen now; a suggestion that was turned down does not come back with the news.
  offer({ actions, suggestion, version, acted, yields = [], holds = {}, falls = {} }, focus) {
    // Picks are of one turn: once the seat has acted, or another sits here, they are of the past.
    if (acted !== this.acted) {
      this.picks = [];
      this.hinted = null;
    }
    this.acted = acted;
    this.actions = actions;
    this.worth = new Map(actions.map((action, index) => [action, yields[index]]));
    Object.assign(this, { holds, falls, version });
    this.suggestion = JSON.stringify(suggestion) === this.declined ? null : suggestion;
    // A hint stays for as long as it can be followed.
    const hinted = JSON.stringify(this.hinted?.action);
    if (!actions.some((action) => JSON.stringify(action) === hinted)) this.hinted = null;
    this.show(focus);
  }

  clear() {
    this.shown += 1;
    this.actions = [];
    this.picks = [];
    this.hinted = null;
    this.asking = null;
    clearBoard();
    this.restoreBoard();
    this.turn.hidden = true;
  }

  // The board is needed for something else: what was chosen so far is kept for the next offer.
  pause() {
    this.paused ||= !this.turn.hidden;
    clearBoard();
    this.restoreBoard();
    for (const card of document.querySelectorAll(".display .card")) card.onclick = null;
    this.turn.hidden = true;
  }

  // As it was, where nothing new is offered.
  resume() {
    if (this.paused) this.turn.hidden = false;
    this.paused = false;
  }

  // Whether the reader is in the middle of choosing, so that the focus goes on with the choice.
  get choosing() {
    return Boolean(document.activeElement?.closest("#turn, #board"));
  }

  decline() {
    if (this.hinted) {
      this.hinted = null;
      return;
    }
    if (this.suggestion) this.declined = JSON.stringify(this.suggestion);
    this.suggestion = null;
  }

  // An action from elsewhere, under a title and with a sentence on where it comes from.
  propose({ action, title, sentence = "" }) {
    this.hinted = { action, title, sentence };
    this.show(true);
  }

  // One step back; false where nothing is chosen yet.
  back() {
    if (this.hinted) {
      this.hinted = null;
      this.show();
      return true;
    }
    if (!this.picks.length) return false;
    this.picks.pop();
    this.show();
    return true;
  }

  // What fits the choices made so far; one that is no longer possible is dropped with a word.
  narrowed() {
    let left = this.actions.map((action) => ({ action, steps: stepsOf(action, this.actions) }));
    const kept = [];
    for (const pick of this.picks) {
      const fitting = left.filter((each) => fits(each, pick));
      if (!fitting.length) {
        say(word("changed"));
        break;
      }
      left = fitting;
      kept.push(pick);
    }
    this.picks = kept;
    return left;
  }

  nextQuestion(left) {
    for (let index = 0; index < left[0].steps.length; index += 1) {
      const options = new Map();
      for (const { steps } of left) {
        const step = steps[index];
        if (step && !options.has(step.value)) options.set(step.value, step);
      }
      if (options.size > 1) return [...options.values()];
    }
    return [];
  }

  choose({ key, value, text = "" }, focus) {
    this.picks.push({ key, value, text });
    this.show(focus ?? (this.choosing || this.byKey));
  }

  // From a hex or a castle one chooses among what can be done there.
  startFrom(label) {
    this.picks = [];
    this.hinted = null;
    this.choose({ key: "hex", value: label, text: label });
  }

  yieldsOf(left) {
    return left.map(({ action }) => this.worth.get(action));
  }

  show(focus = this.choosing) {
    const { turn } = this;
    this.shown += 1;
    this.paused = false;
    turn.dataset.version = this.version;
    clearBoard();
    this.restoreBoard();
    turn.hidden = false;
    turn.replaceChildren();
    const left = this.narrowed();
    if (!left.length) {
      turn.hidden = true;
      return;
    }
    if (this.hinted) {
      this.showPreview(this.hinted.action, true, focus, this.hinted.sentence, this.hinted.title);
      return;
    }
    if (this.suggestion && !this.picks.length) {
      this.showPreview(this.suggestion, true, focus);
      return;
    }
    current = this;
    if (this.picks.at(-1)?.key === "hex") {
      this.showOffers(left, this.picks.at(-1).value, focus);
      return;
    }
    const options = left.length === 1 ? [] : this.nextQuestion(left);
    if (!options.length) {
      this.showPreview(left[0].action, false, focus);
      return;
    }
    this.asking = { left, options };
    this.showQuestion(left, options, focus);
  }

  // What is asked, after the names of what was chosen before.
  head(question) {
    const path = [this.title, ...this.picks.map(({ text }) => text)].filter(Boolean).join(" · ");
    const asked = heading(path ? `${word("label").replace("{label}", path)} ${question}` : question);
    asked.tabIndex = -1;
    const head = document.createElement("div");
    head.className = "turn-head";
    head.append(asked);
    if (this.hint) head.append(button(word("hint"), (event) => this.askHint(event.target), "hint"));
    this.turn.append(head);
    return asked;
  }

  prompt(left, [{ question, about }]) {
    if (question === "choose-look") {
      const all = Math.max(...left.flatMap(({ action }) => action.look)) - 1;
      return word(question).replace("{all}", all);
    }
    const falls = Object.entries(this.falls);
    if (question === "choose-at" && falls.length) {
      return falls.map(([city, count]) => word("choose-fall").replace("{city}", cityName(city)).replace("{count}", count)).join(" ");
    }
    return word(about ? `${question}-of` : question).replace("{city}", about);
  }

  option(text, yields, act, key) {
    const made = button(text, act);
    const told = inWords(yields, this.holds);
    if (told) {
      const small = document.createElement("span");
      small.className = "yield";
      small.textContent = told;
      made.append(" ", small);
    }
    made.classList.toggle("poor", isPoor(yields));
    if (key <= 9) made.dataset.key = key;
    return made;
  }

  showQuestion(left, options, focus) {
    const question = this.head(this.prompt(left, options));
    const list = document.createElement("div");
    list.className = "options";
    const byCode = options[0].key === "at";
    options.forEach((step, index) => {
      const there = left.filter((each) => fits(each, step));
      const yields = this.yieldsOf(there);
      const city = yields[0]?.city;
      const text = byCode && city ? `${step.text} · ${cityName(city)}` : step.text;
      const made = this.option(text, yields, () => this.choose(step), index + 1);
      if (step.hex) {
        made.classList.add("hex-option");
        const point = (on) => hexAt(step.hex)?.classList.toggle("pointed", on);
        for (const kind of ["mouseenter", "focus"]) made.addEventListener(kind, () => point(true));
        for (const kind of ["mouseleave", "blur"]) made.addEventListener(kind, () => point(false));
        const gained = byCode ? gains(yields) : [];
        light(step.hex, () => this.choose(step), { gained, words: inWords(yields, this.holds), poor: isPoor(yields) });
      }
      list.append(made);
    });
    document.body.classList.toggle("no-shortcuts", !shortcutsOn());
    this.turn.append(byCode ? this.folded(list, options.length) : list);
    if (this.picks.length) this.turn.append(this.backButtons());
    this.appendClose();
    this.markCards(options);
    if (options[0].key === "what" && !this.picks.length) this.offerHexes(left);
    tellLit(options.map((step) => step.hex).filter(Boolean));
    if (focus && byCode && this.byKey) focusBoard();
    else if (focus) question.focus({ preventScroll: true });
    this.byKey = false;
  }

  // Codes of hexes are for who wants them; everybody else chooses on the board.
  folded(list, count) {
    const more = document.createElement("details");
    more.className = "hexes";
    const summary = document.createElement("summary");
    summary.textContent = word("show-list").replace("{count}", count);
    more.open = remembered();
    more.addEventListener("toggle", () => remembered(more.open));
    more.append(summary, list);
    return more;
  }

  // Before anything is chosen every hex and castle on which something can be done can be chosen.
  offerHexes(left) {
    const labels = new Set(left.flatMap(({ steps }) => steps.map((step) => step.hex)));
    labels.delete("");
    for (const label of labels) light(label, () => this.startFrom(label), { discreet: true });
  }

  // What can be done on a hex, each with its cost and yield.
  showOffers(left, label, focus) {
    this.asking = null;
    const city = this.yieldsOf(left).find((each) => each?.city)?.city;
    const known = cityName(label);
    this.picks.at(-1).text = known !== label ? `${known} (${label})` : city ? `${label}, ${cityName(city)}` : label;
    const question = this.head(word("choose-there"));
    const groups = new Map();
    for (const each of left) {
      const key = isPlainAt(each.action, label) ? JSON.stringify(each.action) : each.steps[0].value;
      groups.set(key, [...(groups.get(key) ?? []), each]);
    }
    const list = document.createElement("div");
    list.className = "options offers";
    let number = 0;
    for (const [key, group] of groups) {
      const [{ action, steps }] = group;
      const plain = isPlainAt(action, label);
      const text = !plain ? steps[0].text : action.type === "found" ? word("found-from").replace("{city}", cityName(action.source)) : name(action.building);
      number += 1;
      const made = this.option(text, this.yieldsOf(group), () => {
        if (plain && this.direct) this.act(action, made);
        else this.choose(plain ? { key: "action", value: key, text } : { ...steps[0] });
      }, number);
      list.append(made);
    }
    this.turn.append(list, this.backButtons());
    this.appendClose();
    this.markCards([]);
    this.offerHexes(this.actions.map((action) => ({ action, steps: stepsOf(action, this.actions) })));
    hexAt(label)?.classList.add("pointed");
    putBeside(list, label);
    tellLit([label]);
    if (focus) (this.byKey || hexAt(label)?.matches(":focus-visible") ? list.firstChild : question).focus({ preventScroll: true });
    this.byKey = false;
  }

  // What a bot would do here is shown like a suggestion; until it is there, one can go on choosing.
  async askHint(asker) {
    const asked = this.shown;
    asker.disabled = true;
    const slow = setTimeout(() => {
      asker.textContent = word("thinking");
      asker.setAttribute("aria-busy", "true");
      say(word("thinking"));
    }, PATIENCE);
    let answer = { status: 0, body: {} };
    try {
      answer = await this.hint();
    } catch {
      // The words below say so.
    }
    clearTimeout(slow);
    if (asked !== this.shown) return;
    if (answer.status === 200) {
      this.hinted = answer.body;
      say(answer.body.sentence);
      this.show(true);
      return;
    }
    asker.disabled = false;
    asker.textContent = word("hint");
    asker.removeAttribute("aria-busy");
    say(answer.body.sentence || word("failed"), true, ruleLink(answer.body));
  }

  backButtons() {
    const row = document.createElement("p");
    row.className = "back";
    row.append(
      button(word("back"), () => { if (this.hinted) this.decline(); else this.picks.pop(); this.show(); }, "plain"),
      button(word("start-over"), () => { this.picks = []; this.hinted = null; this.decline(); this.show(); }, "plain"),
    );
    return row;
  }

  appendClose() {
    if (this.close) this.turn.append(button(word("not-now"), () => this.close(), "plain"));
  }

  // Cards of the display can be clicked when they are among the options.
  markCards(options) {
    for (const card of document.querySelectorAll(".display .card")) {
      const step = options.find((option) => option.key === "what" && option.value === `card-${card.dataset.card}`);
      card.classList.toggle("can", Boolean(step));
      card.onclick = step ? () => this.choose(step) : () => this.whyNot(card.dataset.card);
    }
  }

  restoreBoard() {
    const board = document.getElementById("board");
    if (board.classList.contains("previewed")) {
      board.innerHTML = this.plainBoard;
      board.classList.remove("previewed");
    }
  }

  async showPreview(action, suggested, focus, reason = "", title = "") {
    const { turn } = this;
    const asked = this.shown;
    this.markCards([]);
    const kind = word(reason ? "hint" : suggested ? "suggestion" : this.guessing ? "preview-guess" : "preview");
    const path = suggested ? "" : this.picks.map(({ text }) => text).filter(Boolean).join(" · ");
    const chosen = title || (path ? `${word("label").replace("{label}", path)} ${kind}` : kind);
    const isPast = () => asked !== this.shown || this.paused;
    // While nothing comes, what was chosen stays in sight, and so does the way back.
    const slow = setTimeout(() => isPast() || turn.replaceChildren(heading(chosen), this.wayBack(suggested)), PATIENCE);
    const { status, body } = await this.preview(action);
    clearTimeout(slow);
    if (isPast()) return;
    turn.replaceChildren(heading(chosen));
    const said = document.createElement("p");
    said.className = "preview-words";
    said.textContent = status === 200 ? body.sentences.join(" ") || stepsOf(action, this.actions).map((s) => s.text).join(" · ") : body.sentence;
    if (status !== 200) addRule(said, body);
    turn.append(said);
    const yields = [this.worth.get(this.actions.find((each) => JSON.stringify(each) === JSON.stringify(action)))];
    const told = inWords(yields, this.holds);
    if (told && status === 200) {
      const line = document.createElement("p");
      line.className = isPoor(yields) ? "preview-yield poor" : "preview-yield";
      line.textContent = told;
      turn.append(line);
    }
    if (reason) {
      const because = document.createElement("p");
      because.className = "reason";
      const why = document.createElement("span");
      why.textContent = reason;
      because.append(why, " ", tipLink(this.hinted?.tip));
      turn.append(because);
    }
    if (status !== 200) {
      turn.append(this.backButtons());
      return;
    }
    const board = document.getElementById("board");
    if (!board.classList.contains("previewed")) this.plainBoard = board.innerHTML;
    board.innerHTML = body.board;
    board.classList.add("previewed");
    if (!suggested) this.lightOthers(action);
    tellLit([action.at ?? action.city].filter(Boolean));
    const row = document.createElement("p");
    row.className = "confirm";
    const yes = button(word("confirm"), () => this.act(action, yes), "primary");
    row.append(yes);
    turn.append(row);
    if (!suggested || this.actions.length > 1) turn.append(this.wayBack(suggested));
    this.appendClose();
    if (focus || this.byKey) yes.focus();
    this.byKey = false;
  }

  wayBack(suggested) {
    return suggested ? button(word("choose-other"), () => { this.decline(); this.show(); }, "plain") : this.backButtons();
  }

  // Another hex during a preview: the same action there.
  lightOthers(action) {
    const same = otherwise(action);
    if (!same) return;
    for (const other of this.actions) {
      if (other.at === action.at || otherwise(other) !== same) continue;
      const pick = { key: "action", value: JSON.stringify(other), text: other.at };
      const kept = this.picks.filter(({ key }) => !["action", "hex", "at"].includes(key));
      light(other.at, () => {
        this.picks = [...kept, pick];
        this.show(true);
      }, { discreet: true });
    }
  }

  async act(action, yes) {
    const asked = this.shown;
    const kept = [...yes.childNodes];
    yes.disabled = true;
    yes.textContent = word("sending");
    const { status, body } = await this.confirm(action);
    if (status === 201) {
      this.picks = [];
      this.hinted = null;
      this.declined = "";
      say(word("done"));
      await this.done(body);
      return;
    }
    if (asked !== this.shown) return;
    say(body.sentence || word("failed"));
    yes.disabled = false;
    yes.replaceChildren(...kept);
    const said = document.createElement("p");
    said.className = "refused";
    said.setAttribute("role", "alert");
    said.textContent = body.sentence || word("failed");
    addRule(said, body);
    this.turn.append(said, this.backButtons());
  }

  // A hex that cannot be chosen says why: the rules are asked about the action in question there.
  async whyNotThere(hex) {
    if (!hex || hex.matches(".lit, .offered") || !this.asking || this.turn.hidden) return;
    const pattern = this.asking.left.find(({ action }) => "at" in action);
    if (!pattern || !this.picks.length) return;
    const { status, body } = await this.preview({ ...pattern.action, at: hex.dataset.hex });
    if (status === 409 || status === 422) say(body.sentence, true, ruleLink(body));
  }
}
