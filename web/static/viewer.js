// Stepping through a game without loading the page again. A step is drawn at once from what is known
// of it (stepping.js); what stands beside the board follows when the steps pause. Other modules hear
// of every step (lacitta:step) and of every moment that is shown in full (lacitta:moment, both with
// {game, number}), and may ask for one (lacitta:go with {number}).
import { shortcutsOn } from "./shortcuts.js";
import { askMarkup } from "./asking.js";
import { forget, lookAhead, moment as fetched, remember } from "./moments.js";
import { Picture } from "./picture.js";
import { showFigures } from "./playback.js";
import { drawsItself, fetchMoment, forgetMoments, known, loadAround } from "./stepping.js";

const viewer = document.querySelector(".viewer");
const { game, root } = viewer.dataset;
const shown = document.getElementById("moment");
const slider = document.getElementById("slider");
const live = document.getElementById("live");

const PAUSE = 160;

export const now = { number: 0, last: 0, steps: {} };
let wanted = 0;
let underWay = null; // a moment that has to be fetched first
let keys = []; // steps that were wanted meanwhile, to be done after it
let picture = null;
let pausing = 0;
let settling = Promise.resolve();

function lineOf(url) {
  return url.searchParams.get("line") ?? "";
}

// The moment that an address leads to; none where it leads to another game, or in or out of a line.
function numberOf(address) {
  const url = new URL(address, location.href);
  if (lineOf(url) !== lineOf(new URL(location.href))) return 0;
  const [start, number] = url.pathname.split(/\/(?=\d+$)/);
  return start === root ? Number(number ?? 0) : 0;
}

export function address(number, query = location.search) {
  return `${root}/${number}${query}`;
}

function readState() {
  const { number, last, steps } = document.getElementById("state").dataset;
  now.number = Number(number);
  now.last = Number(last);
  now.steps = JSON.parse(steps);
}

// How a moment is shown in the address: a jump can be gone back from, a small step replaces.
function write(number, way) {
  if (way === "none" || numberOf(location.href) === number) return;
  const url = address(number);
  if (way === "jump") history.pushState({ number }, "", url);
  else history.replaceState({ number }, "", url);
}

// Of several wishes the last one counts.
export function show(number, way = "step") {
  keys = [];
  return go(number, way);
}

async function go(number, way) {
  const goal = Math.max(1, Math.min(now.last, number));
  wanted = goal;
  slider.value = goal;
  if (way === "jump") {
    // Small steps are written when they pause: where one jumps from must be found again.
    write(now.number, "step");
    write(goal, way);
  }
  if (goal === now.number) {
    write(goal, way);
    return true;
  }
  const moment = known(goal);
  if (moment) {
    draw(moment);
    return true;
  }
  const coming = drawsItself ? fetchMoment(goal) : fetched(goal);
  underWay = coming;
  const found = await coming;
  if (wanted !== goal || underWay !== coming) return false;
  underWay = null;
  if (!found) {
    keys = [];
    wanted = now.number;
    write(now.number, "step");
    dress();
    return false;
  }
  if (drawsItself) draw(found);
  else put(found);
  if (!drawsItself) finish();
  return goOn();
}

// What was pressed while a moment was on its way: no step is lost.
async function goOn() {
  while (keys.length && !underWay) await take(keys.shift());
  return true;
}

function take(key) {
  return go(now.steps[key], key.startsWith("turn") || key.startsWith("event") ? "step" : "jump");
}

export function step(key) {
  if (underWay) keys.push(key);
  else take(key);
}

// The board, the heading, what happened and the figures: all that a step needs.
function draw(moment) {
  const detail = { game, number: moment.number };
  document.dispatchEvent(new CustomEvent("lacitta:step", { detail }));
  if (!picture) picture = new Picture(document.getElementById("board"), known(now.number)?.layers ?? null);
  picture.show(moment.layers);
  Object.assign(now, { number: moment.number, steps: moment.steps });
  const state = document.getElementById("state");
  state.dataset.number = moment.number;
  state.dataset.steps = JSON.stringify(moment.steps);
  const [heading, place] = document.getElementById("moment-head").children;
  heading.textContent = moment.heading;
  place.textContent = place.dataset.words.replace("{number}", moment.number);
  const words = document.getElementById("moment-words");
  words.textContent = moment.sentences.join(" ") || words.dataset.nothing;
  showFigures(moment.scores, 0, document.getElementById("scoreboard"));
  dressSteps();
  shown.setAttribute("aria-busy", "true");
  clearTimeout(pausing);
  pausing = setTimeout(settle, PAUSE);
  loadAround(now.number, now.last);
}

// The steps have paused: everything else about the moment.
function settle() {
  clearTimeout(pausing);
  settling = fill(now.number);
  return settling;
}

async function fill(number) {
  write(number, "step");
  const html = await fetched(number);
  if (now.number !== number) return;
  shown.removeAttribute("aria-busy");
  // Without the network only what was drawn is of this moment.
  shown.classList.toggle("behind", !html);
  if (html) putAround(html);
  finish();
}

// Once everything on the page is of one moment, for who acts on it.
export async function settled() {
  if (!shown.hasAttribute("aria-busy")) return;
  await settle();
  if (shown.hasAttribute("aria-busy")) await settled();
}

function finish() {
  write(now.number, "step");
  announce();
  turnStory();
  if (!drawsItself) lookAhead(now.steps);
}

// Of a long story the page holds a part: from one moment to another.
function tellsOf(story, number) {
  return number >= Number(story.dataset.first) && number <= Number(story.dataset.last);
}

// Whoever goes beyond that part finds the one in which they are.
async function turnStory() {
  const story = document.getElementById("story");
  const goal = now.number;
  if (!story || tellsOf(story, goal)) return;
  const { status, body } = await askMarkup(address(goal));
  if (status !== 200 || !story.isConnected) return;
  const part = new DOMParser().parseFromString(body, "text/html").getElementById("story");
  if (story.contains(document.activeElement)) story.focus({ preventScroll: true });
  Object.assign(story.dataset, part.dataset);
  story.replaceChildren(...part.childNodes);
  markCurrent();
  if (now.number !== goal) turnStory();
}

function put(html) {
  const frames = () => [...shown.querySelectorAll(".board-frame")];
  const places = frames().map(({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop]);
  shown.innerHTML = html;
  frames().forEach((frame, index) => frame.scrollTo(...places[index]));
  readState();
  dress();
}

// Everything but the board, which is drawn already and may be moved or looked at.
function putAround(html) {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  const state = document.getElementById("state");
  const made = holder.content.querySelector("#state");
  const after = [...made.children];
  Object.assign(state.dataset, made.dataset);
  [...state.children].forEach((part, index) => {
    if (!part.matches(".board-part") && !part.isEqualNode(after[index])) part.replaceWith(after[index]);
  });
  readState();
  dress();
}

// Everything on the page anew, without losing one's place: what was written, or how it went on.
export async function renew(number = now.number) {
  const response = await fetch(address(number));
  if (!response.ok) return false;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  for (const part of ["#story", ".years", "#charts", "#all-notes"]) {
    const old = viewer.querySelector(part);
    const made = document.adoptNode(page.querySelector(part));
    if (old.open) made.open = true;
    old.replaceWith(made);
  }
  forget();
  forgetMoments();
  wanted = Number(page.getElementById("state").dataset.number);
  put(page.getElementById("moment").innerHTML);
  if (!drawsItself) remember(now.number, shown.innerHTML);
  clearTimeout(pausing);
  shown.removeAttribute("aria-busy");
  if (drawsItself) loadAround(now.number, now.last);
  tell();
  return true;
}

// The game has gone on: the story, the charts and the years with it. Who was at its end stays there.
export async function grow(last) {
  const follows = now.number === now.last;
  if (!(await renew(follows ? last : now.number)) || !follows) return;
  write(now.number, "step");
  say();
}

function dressSteps() {
  for (const link of viewer.querySelectorAll("[data-step]")) {
    const goal = now.steps[link.dataset.step];
    const stuck = goal === now.number;
    if (stuck) {
      // A link that leads nowhere keeps the focus that it may have.
      link.removeAttribute("href");
      link.setAttribute("role", "link");
      link.setAttribute("aria-disabled", "true");
      link.tabIndex = 0;
    } else {
      link.href = address(goal);
      link.removeAttribute("aria-disabled");
    }
  }
  slider.max = now.last;
  slider.value = now.number;
  slider.style.setProperty("--share", `${(100 * (now.number - 1)) / Math.max(1, now.last - 1)}%`);
  slider.setAttribute("aria-valuetext", document.getElementById("moment-head").textContent.replace(/\s+/g, " ").trim());
}

// Everything around the moment that depends on it.
function dress() {
  dressSteps();
  for (const link of viewer.querySelectorAll("[data-moves]")) {
    const { search, hash } = new URL(link.href);
    link.href = address(now.number, search + hash);
  }
  markCurrent();
}

function markCurrent() {
  for (const link of viewer.querySelectorAll("#story [aria-current], .charts [aria-current]")) {
    link.removeAttribute("aria-current");
  }
  for (const link of viewer.querySelectorAll(".charts a")) {
    if (numberOf(link.getAttribute("href")) === now.number) link.setAttribute("aria-current", "true");
  }
  // Not every moment has something to tell: the story is then where it was before.
  const story = document.getElementById("story");
  if (!story || !tellsOf(story, now.number)) return;
  const past = [...story.querySelectorAll("li")].filter((line) => line.value <= now.number);
  const line = past.at(-1)?.querySelector("a");
  if (!line) return;
  line.setAttribute("aria-current", "true");
  // Only the list scrolls, never the page under the reader.
  const room = story.getBoundingClientRect();
  const place = line.getBoundingClientRect();
  if (place.top < room.top || place.bottom > room.bottom) {
    story.scrollTop += place.top - room.top - room.height / 3;
  }
}

function tell() {
  document.dispatchEvent(new CustomEvent("lacitta:moment", { detail: { game, number: now.number } }));
}

function say() {
  live.classList.replace("notice", "heard");
  live.textContent = document.getElementById("moment-words").textContent;
}

function announce() {
  say();
  tell();
}

viewer.addEventListener("click", (event) => {
  const link = event.target.closest("a[href], a[data-step]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  if (link.dataset.step) {
    event.preventDefault();
    step(link.dataset.step);
    return;
  }
  // A place on this page is no moment, though it resolves to the address of one.
  if (link.getAttribute("href").startsWith("#")) return;
  const goal = link.hasAttribute("data-moves") ? 0 : numberOf(link.getAttribute("href"));
  if (!goal) return;
  event.preventDefault();
  show(goal, "jump");
});

// One drag is one jump, however many moments it passes.
let dragging = false;
slider.addEventListener("input", () => {
  show(Number(slider.value), dragging ? "step" : "jump");
  dragging = true;
});
slider.addEventListener("change", () => {
  dragging = false;
});

const KEYS = {
  ArrowLeft: "turn-back",
  ArrowRight: "turn-on",
  "Shift+ArrowLeft": "year-back",
  "Shift+ArrowRight": "year-on",
  PageUp: "year-back",
  PageDown: "year-on",
  Home: "first",
  End: "last",
  d: "parting",
};

const TYPING = "input:not([type=range]), select, textarea, dialog, [contenteditable]";

// Keys belong first to whoever types, and to what scrolls by them.
export function busy(event) {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true;
  if (target.matches("#story")) return !key.startsWith("Arrow");
  if (target.matches(".wide")) return key.startsWith("Arrow");
  return Boolean(target.closest(TYPING));
}

document.addEventListener("keydown", (event) => {
  if (busy(event) || (event.key.length === 1 && !shortcutsOn())) return;
  const key = KEYS[(event.shiftKey ? "Shift+" : "") + event.key];
  if (!now.steps[key]) return;
  event.preventDefault();
  step(key);
});

window.addEventListener("popstate", () => show(numberOf(location.href) || now.last, "none"));
document.addEventListener("lacitta:go", (event) => show(event.detail.number, "jump"));
document.addEventListener("lacitta:goto", (event) => {
  event.preventDefault();
  show(event.detail.number, "jump");
});

// Another part of the story that was asked for is shown until the first step.
const asked = new URL(location.href);
if (asked.searchParams.has("story")) {
  asked.searchParams.delete("story");
  history.replaceState(history.state, "", asked);
}
readState();
wanted = now.number;
if (!drawsItself) remember(now.number, shown.innerHTML);
slider.hidden = false;
dress();
if (drawsItself) loadAround(now.number, now.last);
else lookAhead(now.steps);
tell();
