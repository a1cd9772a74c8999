// The table's page: news arrives by itself; a turn is chosen step by step, previewed, confirmed.
import { myTurnHere } from "./bell.js";
import { stepsOf } from "./steps.js";
import { say, word } from "./words.js";

const table = document.querySelector(".table");
const game = table.dataset.game;
const parts = document.getElementById("parts");
const turn = document.getElementById("turn");
const csrf = document.querySelector("meta[name=csrf-token]").content;
const EVERY = Number(table.dataset.every) || 3000;

const now = { version: 0, actions: [], suggestion: null, owes: "", picks: [], seat: 0 };

function readState() {
  const state = document.getElementById("state").dataset;
  now.version = Number(state.version);
  now.seat = Number(state.seat);
  now.owes = state.owes;
  myTurnHere(now.owes);
}

async function ask(path, options = {}) {
  const response = await fetch(path, {
    ...options,
    headers: { "X-CSRFToken": csrf, Accept: "application/json", ...options.headers },
  });
  const isJson = (response.headers.get("Content-Type") || "").includes("json");
  return { status: response.status, body: isJson ? await response.json() : await response.text() };
}

function send(path, body) {
  return ask(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}

async function loadTurn(focus = false) {
  if (!now.owes) {
    now.actions = [];
    now.picks = [];
    turn.hidden = true;
    if (focus) document.getElementById("board").focus({ preventScroll: true });
    return;
  }
  const { status, body } = await ask(`/api/games/${game}/actions?seat=${now.seat}`);
  if (status !== 200) return;
  now.actions = body.actions;
  // A suggestion that was turned down does not come back with the news.
  now.suggestion = JSON.stringify(body.suggestion) === now.declined ? null : body.suggestion;
  showTurn(focus);
}

function decline() {
  if (now.suggestion) now.declined = JSON.stringify(now.suggestion);
  now.suggestion = null;
}

// Whether the reader is in the middle of choosing, so that the focus goes on with the choice.
function choosing() {
  return Boolean(document.activeElement?.closest("#turn, #board"));
}

// What fits the choices made so far; a choice that is no longer possible is dropped with a word.
function narrowed() {
  let left = now.actions.map((action) => ({ action, steps: stepsOf(action, now.actions) }));
  const kept = [];
  for (const pick of now.picks) {
    const fitting = left.filter(({ steps }) =>
      steps.some((step) => step.key === pick.key && step.value === pick.value));
    if (!fitting.length) {
      say(word("changed"));
      break;
    }
    left = fitting;
    kept.push(pick);
  }
  now.picks = kept;
  return left;
}

function nextQuestion(left) {
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

function button(text, act, kind = "") {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  if (kind) made.className = kind;
  made.addEventListener("click", act);
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

function choose(step) {
  now.picks.push({ key: step.key, value: step.value });
  showTurn();
}

function heading(text) {
  const made = document.createElement("h2");
  made.textContent = text;
  return made;
}

let shown = 0;
function showTurn(focus = choosing()) {
  shown += 1;
  turn.dataset.version = now.version;
  clearBoard();
  restoreBoard();
  turn.hidden = false;
  turn.replaceChildren();
  const left = narrowed();
  if (!left.length) {
    turn.hidden = true;
    return;
  }
  if (now.suggestion && !now.picks.length) {
    showPreview(now.suggestion, true, focus);
    return;
  }
  if (left.length === 1) {
    showPreview(left[0].action, false, focus);
    return;
  }
  const options = nextQuestion(left);
  if (!options.length) {
    showPreview(left[0].action, false, focus);
    return;
  }
  const question = heading(`${word("your-turn")}: ${word(options[0].question)}`);
  question.tabIndex = -1;
  turn.append(question);
  const list = document.createElement("div");
  list.className = "options";
  for (const step of options) {
    list.append(button(step.text, () => choose(step), step.hex ? "hex-option" : ""));
    if (step.hex) light(step.hex, () => choose(step));
  }
  turn.append(list);
  if (now.picks.length) turn.append(backButtons());
  markCards(options);
  now.asking = { left, options };
  if (focus) question.focus({ preventScroll: true });
}

function backButtons() {
  const row = document.createElement("p");
  row.className = "back";
  row.append(
    button(word("back"), () => { now.picks.pop(); showTurn(); }, "plain"),
    button(word("start-over"), () => { now.picks = []; decline(); showTurn(); }, "plain"),
  );
  return row;
}

// Cards of the display can be clicked when they are among the options.
function markCards(options) {
  for (const card of document.querySelectorAll(".display .card")) {
    const step = options.find((option) => option.key === "what" && option.value === `card-${card.dataset.card}`);
    card.classList.toggle("can", Boolean(step));
    card.onclick = step ? () => choose(step) : () => whyNot(card.dataset.card);
  }
}

// A card that cannot be taken says why: the rules are asked about its plainest use.
async function whyNot(card) {
  const { seat, castle } = document.getElementById("state").dataset;
  const plainest = {
    "master-builder": { type: "build", building: "farm", at: castle, card },
    "bread-and-games": { type: card, figures: 1, at: castle, service: "culture" },
    "golden-times": { type: card, citizens: 1, city: castle },
    "rich-harvest": { type: card, at: castle },
    polling: { type: "poll", look: [2, 3] },
  };
  const action = plainest[card] ?? { type: "build", building: card, at: castle, card };
  const { status, body } = await send(`/api/games/${game}/preview`, { ...action, seat: Number(seat) });
  if (status !== 200) say(body.sentence, true);
}

let plainBoard = "";
function restoreBoard() {
  const board = document.getElementById("board");
  if (board.classList.contains("previewed")) {
    board.innerHTML = plainBoard;
    board.classList.remove("previewed");
  }
}

async function showPreview(action, suggested, focus) {
  const asked = shown;
  markCards([]);
  const { status, body } = await send(`/api/games/${game}/preview`, action);
  if (asked !== shown) return;
  turn.replaceChildren(heading(word(suggested ? "suggestion" : "preview")));
  const said = document.createElement("p");
  said.className = "preview-words";
  said.textContent = status === 200 ? body.sentences.join(" ") || stepsOf(action, now.actions).map((s) => s.text).join(" · ") : body.sentence;
  turn.append(said);
  if (status !== 200) {
    turn.append(backButtons());
    return;
  }
  const board = document.getElementById("board");
  if (!board.classList.contains("previewed")) plainBoard = board.innerHTML;
  board.innerHTML = body.board;
  board.classList.add("previewed");
  const row = document.createElement("p");
  row.className = "confirm";
  const yes = button(word("confirm"), () => confirm(action, yes), "primary");
  row.append(yes);
  turn.append(row);
  if (suggested) turn.append(button(word("choose-other"), () => { decline(); showTurn(); }, "plain"));
  else turn.append(backButtons());
  if (focus) yes.focus();
}

async function confirm(action, yes) {
  yes.disabled = true;
  yes.textContent = word("sending");
  const { status, body } = await send(`/api/games/${game}/actions?version=${now.version}`, action);
  if (status === 201) {
    now.picks = [];
    now.declined = "";
    say(word("done"));
    await refresh(true);
    return;
  }
  say(body.sentence || word("failed"));
  yes.disabled = false;
  yes.textContent = word("confirm");
  const said = document.createElement("p");
  said.className = "refused";
  said.setAttribute("role", "alert");
  said.textContent = body.sentence || word("failed");
  turn.append(said, backButtons());
}

// A hex that cannot be chosen says why.
parts.addEventListener("click", async (event) => {
  const hex = event.target.closest("#board [data-hex]");
  if (!hex || hex.classList.contains("lit") || !now.asking || turn.hidden) return;
  const pattern = now.asking.left.find(({ action }) => "at" in action);
  if (!pattern || !now.picks.length) return;
  const { status, body } = await send(`/api/games/${game}/preview`, { ...pattern.action, at: hex.dataset.hex });
  if (status === 409 || status === 422) say(body.sentence, true);
});

let refreshes = 0;
async function refresh(focus = choosing()) {
  refreshes += 1;
  const mine = refreshes;
  const { status, body } = await ask(`/table/${game}/parts${location.search}`, { headers: { Accept: "text/html" } });
  // Of two answers that overtook each other the later question's is the newer one.
  if (status !== 200 || mine !== refreshes) return;
  const before = now.version;
  const label = document.activeElement?.dataset?.hex;
  const { scrollLeft, scrollTop } = document.getElementById("board");
  parts.innerHTML = body;
  document.getElementById("board").scrollTo(scrollLeft, scrollTop);
  readState();
  const newest = [...document.querySelectorAll(".story li")].filter((line) => line.value > before);
  if (newest.length) say(newest.reverse().map((line) => line.textContent).join(" "));
  await loadTurn(focus);
  if (label) document.querySelector(`#board .lit[data-hex="${CSS.escape(label)}"]`)?.focus();
}

async function poll() {
  if (!document.hidden) {
    try {
      const response = await fetch(`/api/games/${game}/news`, {
        headers: { "If-None-Match": `"${now.version}"` }, cache: "no-store",
      });
      if (response.status === 200 && (await response.json()).version > now.version) await refresh();
    } catch {
      say(word("failed"));
    }
  }
  if (!document.getElementById("state").dataset.over) setTimeout(poll, EVERY);
}

// Walk through what happened, one moment after the other.
const walk = document.getElementById("walk");
const since = document.getElementById("since");
let at = 0;
async function showMoment(version) {
  const last = now.version;
  const wanted = Math.max(1, Math.min(last, version));
  at = wanted;
  const { status, body } = await ask(`/table/${game}/at/${at}${location.search}`);
  if (status !== 200 || at !== wanted) return;
  const focused = document.activeElement;
  document.getElementById("walk-moment").innerHTML = body;
  document.getElementById("walk-replay").href = `/replay/${game}/${at}${location.search}`;
  walk.querySelector("[data-step='-1']").disabled = at <= 1;
  walk.querySelector("[data-step='1']").disabled = at >= last;
  // A button that is switched off loses the focus, and the arrow keys with it.
  if (focused?.disabled) walk.querySelector("[data-close]").focus();
  if (!walk.open) walk.showModal();
}
walk.addEventListener("click", (event) => {
  const step = event.target.dataset?.step;
  if (step) showMoment(at + Number(step));
  if ("close" in (event.target.dataset || {})) walk.close();
});
walk.addEventListener("keydown", (event) => {
  if (event.key === "ArrowLeft") showMoment(at - 1);
  if (event.key === "ArrowRight") showMoment(at + 1);
});
if (since) {
  since.hidden = false;
  since.addEventListener("click", (event) => {
    if ("walk" in event.target.dataset) showMoment(Number(table.dataset.since) + 1);
    if (event.target.tagName === "BUTTON") since.hidden = true;
  });
}
parts.addEventListener("click", (event) => {
  const moment = event.target.closest("[data-moment]");
  if (moment) {
    event.preventDefault();
    showMoment(Number(moment.dataset.moment));
  }
});
document.addEventListener("lacitta:goto", (event) => {
  event.preventDefault();
  showMoment(event.detail.number);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !walk.open && now.picks.length) {
    now.picks.pop();
    showTurn();
  }
});

readState();
loadTurn();
setTimeout(poll, EVERY);
