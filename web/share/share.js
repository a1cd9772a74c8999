// Steps through the game that this file carries. web/share/contents.py says what its data mean.
import { Picture, unrolled } from "./picture.js";
import { animate } from "./playback.js";
import { shortcutsOn } from "./shortcuts.js";

const game = JSON.parse(document.getElementById("game").textContent);
const at = (id) => document.getElementById(id);
const say = (word, fields = {}) =>
  game.words[word].replace(/\{(\w+)\}/g, (whole, name) => fields[name] ?? whole);
const whole = (text) =>
  text.replace(/[\ue000-\uf8ff]/g, (sign) => game.phrases[sign.charCodeAt(0) - 0xe000]);
const pool = game.pool.map(whole);
const PACE = 1400;
const still = window.matchMedia("(prefers-reduced-motion: reduce)");

const tracks = game.tracks.map((track) => {
  const moments = unrolled(track.moments, pool, game.shell.length - 1).map((moment) => ({ notes: [], lines: [], ...moment }));
  return { title: "", by: "", parent: 0, ...track, moments, last: track.start + moments.length - 1 };
});

// What the review found can be left out.
const reviews = at("reviews").querySelector("input");
const notesOf = (moment) => moment.notes.filter(({ review }) => !review || reviews.checked);
at("reviews").hidden = !tracks.some(({ moments }) => moments.some(({ notes }) => notes.some(({ review }) => review)));

let on = 0;
let number = 1;
let timer = 0;
let picture = null;
const track = () => tracks[on];
const here = () => track().moments[number - track().start];

function element(name, text, more = {}) {
  const made = Object.assign(document.createElement(name), more);
  made.textContent = text;
  return made;
}

function paragraphs(sentences) {
  return sentences.map((sentence) => element("p", sentence));
}

// After the end nothing happens any more: it is told how it came.
function words(moment) {
  const ending = number === track().last && track().moments.findLast(({ sentences }) => sentences.length);
  const { sentences } = moment.sentences.length ? moment : ending || moment;
  return sentences.length ? sentences : [say("nothing")];
}

function noteElement(note) {
  const made = element("article", "", { className: `note depth-${note.answers ?? 0}` });
  const head = element("h3", "");
  if (note.sign) {
    const sign = element("span", note.sign, { className: "glyph", title: note.means });
    sign.setAttribute("role", "img");
    sign.setAttribute("aria-label", note.means);
    head.append(sign, " ");
  }
  head.append(note.by);
  made.append(head);
  if (note.about) made.append(element("p", say("city", { city: note.about }), { className: "quiet" }));
  const body = element("div", "");
  body.innerHTML = note.html; // made safe when the file was written
  made.append(body);
  return made;
}

function lineTitle(line) {
  return say("line", { title: line.title || say("unnamed") });
}

function lineElement(place) {
  const line = tracks[place];
  const item = element("li", "");
  const enter = element("button", lineTitle(line), { type: "button" });
  enter.addEventListener("click", () => go(place, line.start + 1));
  const count = say("moments", { count: line.last - line.start });
  item.append(enter, element("span", ` ${say("by", { name: line.by })}, ${count}`));
  return item;
}

function show() {
  const moment = here();
  if (!picture) {
    at("board").innerHTML = game.shell.join("");
    picture = new Picture(at("board"));
  }
  picture.show(moment.layers);
  at("heading").textContent = pool[moment.heading];
  at("told").replaceChildren(...paragraphs(words(moment)));
  at("lines").replaceChildren(...moment.lines.map(lineElement));
  const notes = notesOf(moment);
  at("notes-part").hidden = !notes.length;
  at("notes").replaceChildren(...notes.map(noteElement));
  [...at("scores").tBodies[0].rows].forEach((row, seat) => {
    const values = moment.scores[seat] ?? [];
    values.forEach((value, i) => (row.cells[i + 1].textContent = value));
    row.classList.toggle("hungry", values[1] > values[2]);
  });
  for (const kind of ["display", "voice"]) {
    at(kind).innerHTML = moment[kind].map((card) => game.cards[card]).join("");
  }
  const slider = at("slider");
  slider.value = number;
  slider.style.setProperty("--share", `${(100 * (number - track().start)) / Math.max(1, track().last - track().start)}%`);
  const where = say("moment", { number, last: track().last });
  slider.setAttribute("aria-valuetext", `${where}. ${pool[moment.heading]}`);
  for (const item of at("story").children) {
    const current = item.dataset.number === String(number);
    if (current) item.setAttribute("aria-current", "true");
    else item.removeAttribute("aria-current");
    if (current) at("story").scrollTop = item.offsetTop - at("story").clientHeight / 2;
  }
}

// What stays the same along a track: the slider's marks, the story, the line's name.
function showTrack() {
  const { start, last, moments, years } = track();
  const slider = at("slider");
  slider.min = start;
  slider.max = last;
  at("line").hidden = on === 0;
  at("line-title").textContent = on ? lineTitle(track()) : "";
  const mark = (target, text, kind, label) => {
    const made = element("button", text, { type: "button", className: kind, title: label });
    made.setAttribute("aria-label", label);
    made.tabIndex = -1;
    made.style.left = `${(100 * (target - start)) / Math.max(1, last - start)}%`;
    made.addEventListener("click", () => go(on, target));
    return made;
  };
  at("years").replaceChildren(
    ...years.map(([target, year]) => mark(target, year, "year", say("year", { year }))),
    ...noted().map((target) => mark(target, "", "noted", say("moment", { number: target, last }))),
  );
  at("next-note").hidden = !noted().length;
  at("story").replaceChildren(
    ...moments.flatMap((moment, i) => (moment.sentences.length ? [storyItem(moment, start + i)] : [])),
  );
}

function storyItem(moment, target) {
  const item = element("li", "");
  item.dataset.number = target;
  const signs = notesOf(moment).map((note) => note.sign || "✎").join(" ");
  const jump = element("button", `${moment.sentences.join(" ")} ${signs}`.trim(), { type: "button" });
  jump.addEventListener("click", () => go(on, target));
  item.append(jump);
  return item;
}

function go(place, target) {
  const other = place !== on || !picture;
  on = place;
  number = Math.min(track().last, Math.max(track().start, target));
  if (other) showTrack();
  show();
}

const following = (numbers) => numbers.find((each) => each > number) ?? track().last;
const preceding = (numbers) => numbers.filter((each) => each < number).at(-1) ?? track().start;
const begun = () => track().years.map(([target]) => target);
const noted = () =>
  track().moments.flatMap((moment, i) => (notesOf(moment).length ? [track().start + i] : []));

function pause() {
  clearInterval(timer);
  timer = 0;
  at("play").textContent = say("play");
}

function play() {
  if (timer) return pause();
  if (number === track().last) go(on, track().start);
  timer = setInterval(() => {
    go(on, following(track().turns));
    if (!still.matches) animate(at("board"), here().effects);
    if (number === track().last) pause();
  }, PACE);
  at("play").textContent = say("pause");
}

const acts = {
  first: () => track().start,
  last: () => track().last,
  "event+": () => number + 1,
  "event-": () => number - 1,
  "turn+": () => following(track().turns),
  "turn-": () => preceding(track().turns),
  "year+": () => following(begun()),
  "year-": () => preceding(begun()),
  "note+": () => noted().find((each) => each > number) ?? noted()[0] ?? number,
};

function act(name) {
  if (name === "play") return play();
  pause();
  if (name === "leave") go(track().parent, track().start);
  else go(on, acts[name]());
}

const KEYS = {
  ArrowLeft: "turn-",
  ArrowRight: "turn+",
  ArrowUp: "year-",
  ArrowDown: "year+",
  PageUp: "year-",
  PageDown: "year+",
  Home: "first",
  End: "last",
  " ": "play",
  n: "note+",
  Escape: "leave",
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key.length === 1 && !shortcutsOn()) return;
  // A button is pressed with the space bar, and the slider has keys of its own.
  if (event.key === " " && event.target.closest("button, a")) return;
  if (event.target.matches("input") && !["n", "Escape", " "].includes(event.key)) return;
  if (event.key === "Escape" && on === 0) return;
  let name = KEYS[event.key];
  if (!name) return;
  if (event.shiftKey) name = name.replace("turn", "event");
  event.preventDefault();
  act(name);
});
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-do]");
  if (button) act(button.dataset.do);
});
at("slider").addEventListener("input", (event) => {
  pause();
  go(on, Number(event.target.value));
});

reviews.addEventListener("change", () => {
  showTrack();
  show();
});

const dark = window.matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";
at("theme").setAttribute("aria-pressed", String(isDark()));
at("theme").addEventListener("click", () => {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  at("theme").setAttribute("aria-pressed", String(isDark()));
});

// Whoever opens it finds what was written first, or how the game ended.
go(0, Number(/^#(\d+)$/.exec(location.hash)?.[1] ?? noted()[0] ?? track().last));
