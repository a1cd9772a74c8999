// An action is chosen step by step, from a list or on the board, previewed and confirmed. The table
// and the what-if lines choose alike; what they send their choice to is their own.
import { addRule, ruleLink } from "./rule_link.js";
import { stepsOf } from "./steps.js";
import { say, word } from "./words.js";

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

function clearBoard() {
  for (const hex of document.querySelectorAll("#board .lit")) {
    hex.classList.remove("lit", "legal");
    hex.removeAttribute("tabindex");
    hex.setAttribute("role", "img");
    hex.querySelector(".lit-mark")?.remove();
    hex.onclick = null;
    hex.onkeydown = null;
  }
}

function light(label, act) {
  const hex = document.querySelector(`#board [data-hex="${CSS.escape(label)}"]`);
  if (!hex) return;
  hex.classList.add("lit", "legal");
  hex.setAttribute("tabindex", "0");
  hex.setAttribute("role", "button");
  const face = hex.querySelector("use, path, polygon");
  const mark = document.createElementNS("http://www.w3.org/2000/svg", "use");
  mark.setAttribute("href", "#mark-legal");
  mark.setAttribute("class", "lit-mark");
  if (face?.getAttribute("x")) mark.setAttribute("x", face.getAttribute("x"));
  if (face?.getAttribute("y")) mark.setAttribute("y", face.getAttribute("y"));
  hex.append(mark);
  hex.onclick = (event) => {
    event.stopPropagation();
    act();
  };
  hex.onkeydown = (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      act();
    }
  };
}

export class Chooser {
  // `preview(action)` and `confirm(action)` ask the server; `done()` follows an accepted action;
  // `hint()` asks what a bot would do; `whyNot(card)` says why a card cannot be taken; `title`
  // stands before every question; with `close()` one may also choose nothing.
  constructor({ turn, title, preview, confirm, done, hint, close, whyNot = () => {} }) {
    Object.assign(this, { turn, title, preview, confirm, done, hint, close, whyNot });
    this.actions = [];
    this.picks = [];
    this.suggestion = null;
    this.declined = "";
    this.guessing = false;
    this.hinted = null;
    this.asking = null;
    this.plainBoard = "";
    this.shown = 0;
  }

  // What can be chosen now; a suggestion that was turned down does not come back with the news.
  offer({ actions, suggestion, version }, focus) {
    this.actions = actions;
    this.version = version;
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
      const fitting = left.filter(({ steps }) =>
        steps.some((step) => step.key === pick.key && step.value === pick.value));
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

  choose(step) {
    this.picks.push({ key: step.key, value: step.value });
    this.show();
  }

  show(focus = this.choosing) {
    const { turn } = this;
    this.shown += 1;
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
    const options = left.length === 1 ? [] : this.nextQuestion(left);
    if (!options.length) {
      this.showPreview(left[0].action, false, focus);
      return;
    }
    this.showQuestion(options, focus);
    this.asking = { left, options };
  }

  showQuestion(options, focus) {
    const question = heading(`${this.title}: ${word(options[0].question)}`);
    question.tabIndex = -1;
    const head = document.createElement("div");
    head.className = "turn-head";
    head.append(question);
    if (this.hint) head.append(button(word("hint"), (event) => this.askHint(event.target), "hint"));
    this.turn.append(head);
    const list = document.createElement("div");
    list.className = "options";
    for (const step of options) {
      list.append(button(step.text, () => this.choose(step), step.hex ? "hex-option" : ""));
      if (step.hex) light(step.hex, () => this.choose(step));
    }
    this.turn.append(list);
    if (this.picks.length) this.turn.append(this.backButtons());
    this.appendClose();
    this.markCards(options);
    if (focus) question.focus({ preventScroll: true });
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
    const { status, body } = await this.preview(action);
    if (asked !== this.shown) return;
    turn.replaceChildren(heading(title || word(reason ? "hint" : suggested ? "suggestion" : this.guessing ? "preview-guess" : "preview")));
    const said = document.createElement("p");
    said.className = "preview-words";
    said.textContent = status === 200 ? body.sentences.join(" ") || stepsOf(action, this.actions).map((s) => s.text).join(" · ") : body.sentence;
    if (status !== 200) addRule(said, body);
    turn.append(said);
    if (reason) {
      const because = document.createElement("p");
      because.className = "reason";
      because.textContent = reason;
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
    const row = document.createElement("p");
    row.className = "confirm";
    const yes = button(word("confirm"), () => this.act(action, yes), "primary");
    row.append(yes);
    turn.append(row);
    if (!suggested) turn.append(this.backButtons());
    else if (this.actions.length > 1) turn.append(button(word("choose-other"), () => { this.decline(); this.show(); }, "plain"));
    this.appendClose();
    if (focus) yes.focus();
  }

  async act(action, yes) {
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
    say(body.sentence || word("failed"));
    yes.disabled = false;
    yes.textContent = word("confirm");
    const said = document.createElement("p");
    said.className = "refused";
    said.setAttribute("role", "alert");
    said.textContent = body.sentence || word("failed");
    addRule(said, body);
    this.turn.append(said, this.backButtons());
  }

  // A hex that cannot be chosen says why: the rules are asked about the action in question there.
  async whyNotThere(hex) {
    if (!hex || hex.classList.contains("lit") || !this.asking || this.turn.hidden) return;
    const pattern = this.asking.left.find(({ action }) => "at" in action);
    if (!pattern || !this.picks.length) return;
    const { status, body } = await this.preview({ ...pattern.action, at: hex.dataset.hex });
    if (status === 409 || status === 422) say(body.sentence, true, ruleLink(body));
  }
}
