// What-if lines: another way on from the moment that is shown, by an action or by a bot.
import { ask, send } from "./asking.js";
import { Chooser } from "./chooser.js";
import { came, place } from "./notes.js";
import { stepsOf } from "./steps.js";
import { now, settled } from "./viewer.js";
import { say, word } from "./words.js";

const viewer = document.querySelector(".viewer");
const { chapter, line, notebook, root, seat } = viewer.dataset;
const form = document.getElementById("try-form");
const trying = document.getElementById("try-way");
const banner = document.getElementById("line-banner");
const base = `/api/notebooks/${notebook}`;
const GOES_ON = "#try";

function goesOn() {
  return Boolean(document.getElementById("notes-here").dataset.goesOn);
}

// As which seat one tries: as whom the cards are dealt anew, or as whom one looks.
function trier() {
  const cards = form.elements.cards?.value;
  return /^[1-5]$/.test(cards ?? "") ? Number(cards) : Number(seat);
}

function choicesPath(what = "") {
  const { number, line: inside = "-" } = place();
  const query = new URLSearchParams({ number, seat: trier() });
  const by = came().slice(1);
  return `${base}/choices/${chapter || "-"}/${inside}${what}?${query}${by && `&${by}`}`;
}

function newLine(move) {
  const cards = form.elements.cards?.value ?? "as-they-were";
  const dealt = cards !== "as-they-were";
  const body = {
    at: place(),
    move,
    cards: dealt ? "dealt-anew" : cards,
    seat: dealt ? Number(cards) : 0,
    title: form.elements.title.value.trim(),
    seen_by: form.elements.line_seen_by.value,
    chapter,
  };
  if (form.elements.guest) body.guest = form.elements.guest.value.trim();
  return body;
}

function move(how) {
  if (goesOn()) return send(`${base}/lines/${line}/moves`, how);
  return send(`${base}/lines${came()}`, newLine(how));
}

// On to the end of the line, with the next choice open.
function follow({ id, last }) {
  const query = new URLSearchParams(location.search);
  // The game's own move is a step on in the game.
  if (id) query.set("line", id);
  else query.delete("line");
  const goal = `${root}/${last}${query.size ? `?${query}` : ""}${id ? GOES_ON : ""}`;
  if (goal === location.pathname + location.search + location.hash) location.reload();
  else location.assign(goal);
}

const chooser = new Chooser({
  turn: document.getElementById("turn"),
  title: "",
  preview: (action) => send(choicesPath(), action),
  confirm: (action) => move({ action }),
  done: follow,
  hint: () => ask(choicesPath("/hint")),
});

function complain(text) {
  const said = form.querySelector(".problem-words");
  said.textContent = text;
  said.hidden = !text;
}

// Whoever has no name yet gives one first; everybody else just makes a move.
function isNamed() {
  return !form.elements.guest || Boolean(form.elements.guest.value.trim());
}

// Where nothing can be done on a hex, one chooses among everything.
function canStartAt(hex) {
  return chooser.actions.some((action) => stepsOf(action, chooser.actions).some((step) => step.hex === hex));
}

async function choose(hex = "") {
  if (!isNamed() || !form.reportValidity()) {
    open();
    form.reportValidity();
    return;
  }
  await settled();
  const { status, body } = await ask(choicesPath());
  if (status !== 200) complain(body.sentence || word("failed"));
  else if (!body.actions.length) complain(word("nobody-decides"));
  else {
    complain("");
    const name = document.querySelector(`.players tr.seat-${body.seat} th`);
    const plain = [...(name?.childNodes ?? [])].filter((node) => node.nodeType === Node.TEXT_NODE);
    chooser.title = plain.map((node) => node.textContent.trim()).join("") || String(body.seat);
    chooser.offer({ ...body, version: now.number }, true);
    if (hex && canStartAt(hex)) chooser.startFrom(hex);
  }
}

async function letBot(button) {
  if (!form.reportValidity()) return;
  await settled();
  button.disabled = true;
  const how = { bot: form.elements.bot.value, turns: Number(form.elements.turns.value) };
  const { status, body } = await move(how);
  button.disabled = false;
  if (status === 201) follow(body);
  else complain(body.sentence || word("failed"));
}

function dress() {
  for (const part of form.querySelectorAll("[data-begins]")) part.hidden = goesOn();
  for (const part of form.querySelectorAll("[data-continues]")) part.hidden = !goesOn();
  const cut = document.getElementById("cut-line");
  if (cut) cut.hidden = now.number >= now.last || now.number < Number(banner.dataset.at);
}

function open(focus = true) {
  form.hidden = false;
  trying.setAttribute("aria-expanded", "true");
  complain("");
  dress();
  if (focus) document.getElementById("try-head").focus();
}

function close() {
  chooser.clear();
  document.dispatchEvent(new CustomEvent("lacitta:board"));
  form.hidden = true;
  trying.setAttribute("aria-expanded", "false");
  trying.focus();
}

trying.addEventListener("click", () => (form.hidden ? open() : close()));
form.querySelector("[data-close]").addEventListener("click", close);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  choose();
});
document.getElementById("choose-way").addEventListener("click", () => choose());
document.getElementById("let-bot").addEventListener("click", (event) => letBot(event.target));
form.elements.cards?.addEventListener("change", () => chooser.clear());

document.getElementById("cut-line")?.addEventListener("click", async () => {
  const { status, body } = await send(`${base}/lines/${line}/cut`, { number: now.number });
  if (status === 200) location.reload();
  else say(body.sentence || word("failed"), true);
});
const drop = document.getElementById("drop-line");
drop?.addEventListener("click", async () => {
  if (!window.confirm(drop.dataset.sure)) return;
  const { status, body } = await send(`${base}/lines/${line}`, undefined, "DELETE");
  if (status === 200) location.assign(drop.dataset.back);
  else say(body.sentence || word("failed"), true);
});
if (drop) drop.hidden = false;

// From a card of the display one chooses among what can be done with it.
async function chooseCard(name) {
  await choose();
  [...document.querySelectorAll(".display .card.can")].find(({ dataset }) => dataset.card === name)?.click();
}

document.addEventListener("click", (event) => {
  const hex = event.target.closest("#board [data-hex]");
  const card = event.target.closest(".display .card[data-card]");
  // Another move than the game's is just made; whoever writes a note draws on the board.
  const writes = !document.getElementById("note-form").hidden;
  const begins = document.getElementById("turn").hidden && !writes;
  if (hex && begins) choose(hex.dataset.hex);
  else if (hex) chooser.whyNotThere(hex);
  else if (card?.dataset.card && begins) chooseCard(card.dataset.card);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && event.target.closest("#turn, #board")) chooser.back();
});
document.addEventListener("lacitta:step", () => chooser.clear());
document.addEventListener("lacitta:moment", () => {
  chooser.clear();
  dress();
});
dress();
if (location.hash === GOES_ON && goesOn()) {
  open(false);
  choose();
}
