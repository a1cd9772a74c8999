// Notes beside the board: read, written, changed, withdrawn, answered; drawn over every moment.
import { send } from "./asking.js";
import { draw } from "./annotations.js";
import { drawing, equip, stop, take } from "./annotating.js";
import { now, renew, settled } from "./viewer.js";
import { say, word } from "./words.js";

const viewer = document.querySelector(".viewer");
const { chapter, notebook } = viewer.dataset;
const form = document.getElementById("note-form");
const writing = document.getElementById("write-note");
const means = document.getElementById("glyph-means");
const base = `/api/notebooks/${notebook}/notes`;
const silent = new Set();

// What the form is for: a new note, an answer, or the change of one's own note.
let task = null;

export function place() {
  const { line } = document.getElementById("notes-here").dataset;
  return line ? { number: now.number, line } : { number: now.number };
}

export function came() {
  const word = new URLSearchParams(location.search).get("by");
  return word ? `?by=${encodeURIComponent(word)}` : "";
}

function contentOf(note) {
  return JSON.parse(note.dataset.content);
}

function show() {
  const drawings = [];
  for (const note of document.querySelectorAll("#notes-here .note")) {
    if (silent.has(note.dataset.note) || (task && note.dataset.note === task.note)) continue;
    drawings.push(contentOf(note));
  }
  if (task) drawings.push(drawing());
  draw(drawings);
}

function offerCities() {
  const select = form.elements.city;
  const chosen = select.value;
  const cities = [...document.querySelectorAll("#board [data-city]")].map((city) => city.dataset.city);
  if (chosen && !cities.includes(chosen)) cities.push(chosen);
  select.replaceChildren(
    new Option(select.dataset.none, ""),
    ...cities.map((city) => new Option(select.dataset.city.replace("{city}", city), city)),
  );
  select.value = chosen;
}

function entitle() {
  const { dataset } = form;
  const words = { new: dataset.new.replace("{number}", now.number), change: dataset.change };
  const head = task.kind === "reply" ? dataset.reply.replace("{name}", task.name) : words[task.kind];
  document.getElementById("note-form-head").textContent = head;
}

function dress() {
  for (const part of document.querySelectorAll("#notes-here [hidden].note-acts, #notes-here [data-draws][hidden]")) {
    part.hidden = false;
  }
  for (const button of document.querySelectorAll("#notes-here [data-draws]")) {
    button.setAttribute("aria-pressed", String(!silent.has(button.closest(".note").dataset.note)));
  }
  if (task) {
    offerCities();
    // What is changed or answered stays with its own moment.
    if (task.kind !== "new" && task.number !== now.number) close();
    else entitle();
  }
  equip();
  show();
}

function open(what, content = {}, seenBy = "me") {
  task = { ...what, number: now.number };
  form.reset();
  form.elements.text.value = content.text ?? "";
  form.elements.glyph.value = content.glyph ?? "";
  form.elements.seen_by.value = seenBy;
  offerCities();
  if (content.city) {
    form.elements.city.add(new Option(content.city, content.city));
    form.elements.city.value = content.city;
    offerCities();
  }
  tellGlyph();
  complain("");
  form.hidden = false;
  writing.setAttribute("aria-expanded", "true");
  entitle();
  take(content, show);
  form.elements.text.focus();
}

function close() {
  const had = form.contains(document.activeElement);
  task = null;
  form.hidden = true;
  writing.setAttribute("aria-expanded", "false");
  stop();
  take({}, show);
  if (had) writing.focus();
}

function complain(text) {
  const said = form.querySelector(".problem-words");
  said.textContent = text;
  said.hidden = !text;
}

function tellGlyph() {
  const chosen = form.querySelector("input[name=glyph]:checked");
  means.textContent = chosen?.value ? chosen.closest("label").title : "";
}

function content() {
  const { text, glyph, city } = form.elements;
  const found = { ...drawing(), text: text.value.trim(), glyph: glyph.value, city: city.value };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value && Object.keys(value).length));
}

function request() {
  const seen_by = form.elements.seen_by.value;
  if (task.kind === "change") return [`${base}/${task.note}`, { content: content(), seen_by }];
  const body = { at: place(), content: content(), seen_by, chapter };
  if (task.kind === "reply") body.answers = task.answers;
  if (form.elements.guest) body.guest = form.elements.guest.value.trim();
  return [base + came(), body];
}

async function save() {
  await settled();
  const [path, body] = request();
  const { status, body: answer } = await send(path, body);
  if (status >= 400) {
    complain(answer.sentence || word("failed"));
    return;
  }
  // Whoever was nobody before is somebody now: the page must know them.
  const met = Boolean(form.elements.guest);
  close();
  if (met) location.reload();
  else await renew();
  say(word("done"));
  const made = document.getElementById(`note-${answer.id}`);
  if (made) made.scrollIntoView({ block: "nearest" });
  else lookUp(answer.id);
}

// Where many notes are on a moment, a new one may be on another page of them.
function lookUp(note) {
  const url = new URL(location.href);
  url.searchParams.delete("notes");
  url.searchParams.set("note", note);
  url.hash = `note-${note}`;
  location.assign(url);
}

async function withdraw(id) {
  const { status, body } = await send(`${base}/${id}`, undefined, "DELETE");
  if (status >= 400) say(body.sentence || word("failed"), true);
  else await renew();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  save();
});
form.addEventListener("change", tellGlyph);
form.querySelector("[data-close]").addEventListener("click", close);
writing.addEventListener("click", () => {
  if (task) close();
  else open({ kind: "new" });
});

viewer.addEventListener("click", (event) => {
  const button = event.target.closest("#notes-here .note button");
  const note = button?.closest(".note");
  if (!note) return;
  const id = note.dataset.note;
  if ("answer" in button.dataset) {
    const name = note.querySelector(".note-head strong").textContent;
    open({ kind: "reply", answers: id, name }, {}, note.dataset.seenBy);
  } else if ("edit" in button.dataset) {
    open({ kind: "change", note: id }, contentOf(note), note.dataset.seenBy);
  } else if ("withdraw" in button.dataset) {
    withdraw(id);
  } else if ("draws" in button.dataset) {
    if (!silent.delete(id)) silent.add(id);
    dress();
  }
});

const copying = document.getElementById("copy-link");
copying?.addEventListener("click", async () => {
  const url = new URL(location.href);
  url.searchParams.set("by", copying.dataset.word);
  const words = copying.textContent;
  try {
    await navigator.clipboard.writeText(url.href);
    copying.textContent = copying.dataset.copied;
    say(copying.dataset.copied);
    setTimeout(() => (copying.textContent = words), 2000);
  } catch {
    say(url.href, true);
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && task && !event.defaultPrevented && form.contains(event.target)) close();
});
// What notes draw belongs to their moment; what is being drawn stays.
document.addEventListener("lacitta:step", () => draw(task ? [drawing()] : []));
document.addEventListener("lacitta:moment", dress);
document.addEventListener("lacitta:board", () => { equip(); show(); });
document.querySelector(".note-buttons").hidden = false;
dress();
