// Stepping through a game without loading the page again. Other modules hear of every moment that
// is shown (lacitta:moment with {game, number}) and may ask for one (lacitta:go with {number}).
import { remember, moment as fetched, lookAhead } from "./moments.js";

const viewer = document.querySelector(".viewer");
const game = viewer.dataset.game;
const shown = document.getElementById("moment");
const slider = document.getElementById("slider");
const live = document.getElementById("live");
const story = document.getElementById("story");
const path = new RegExp(`^/replay/${game}/(\\d+)$`);

export const now = { number: 0, last: 0, steps: {} };
let wanted = 0;

function numberOf(url) {
  return Number(path.exec(new URL(url, location.href).pathname)?.[1] ?? 0);
}

export function address(number, query = location.search) {
  return `/replay/${game}/${number}${query}`;
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

export async function show(number, way = "step") {
  const goal = Math.max(1, Math.min(now.last, number));
  wanted = goal;
  slider.value = goal;
  if (goal === now.number) return true;
  const html = await fetched(goal);
  // Of several wishes the last one counts.
  if (!html || wanted !== goal) return false;
  const frame = document.getElementById("board");
  const { scrollLeft, scrollTop } = frame;
  shown.innerHTML = html;
  document.getElementById("board").scrollTo(scrollLeft, scrollTop);
  readState();
  write(goal, way);
  dress();
  announce();
  lookAhead(now.steps);
  return true;
}

export function step(key) {
  return show(now.steps[key], key.startsWith("turn") || key.startsWith("event") ? "step" : "jump");
}

// Everything around the moment that depends on it.
function dress() {
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
  for (const link of viewer.querySelectorAll("[data-moves]")) {
    link.href = address(now.number, new URL(link.href).search);
  }
  slider.max = now.last;
  slider.value = now.number;
  slider.setAttribute("aria-valuetext", document.getElementById("moment-head").innerText.trim());
  document.getElementById("compare-to").value = now.number;
  markCurrent();
}

function markCurrent() {
  for (const link of viewer.querySelectorAll("#story [aria-current], .charts [aria-current]")) {
    link.removeAttribute("aria-current");
  }
  for (const link of viewer.querySelectorAll("#story a, .charts a")) {
    if (numberOf(link.getAttribute("href")) === now.number) link.setAttribute("aria-current", "true");
  }
  const line = story.querySelector("[aria-current]");
  if (!line) return;
  // Only the list scrolls, never the page under the reader.
  const room = story.getBoundingClientRect();
  const place = line.getBoundingClientRect();
  if (place.top < room.top || place.bottom > room.bottom) {
    story.scrollTop += place.top - room.top - room.height / 3;
  }
}

function announce() {
  live.textContent = document.getElementById("moment-words").textContent;
  document.dispatchEvent(new CustomEvent("lacitta:moment", { detail: { game, number: now.number } }));
}

viewer.addEventListener("click", (event) => {
  const link = event.target.closest("a[href], a[data-step]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  if (link.dataset.step) {
    event.preventDefault();
    step(link.dataset.step);
    return;
  }
  const goal = link.hasAttribute("data-moves") ? 0 : numberOf(link.getAttribute("href"));
  if (!goal) return;
  event.preventDefault();
  show(goal, "jump");
});

slider.addEventListener("input", () => show(Number(slider.value), "step"));
slider.addEventListener("change", () => show(Number(slider.value), "step"));

const KEYS = {
  ArrowLeft: "turn-back",
  ArrowRight: "turn-on",
  "Shift+ArrowLeft": "year-back",
  "Shift+ArrowRight": "year-on",
  PageUp: "year-back",
  PageDown: "year-on",
  Home: "first",
  End: "last",
};

// Keys belong to whoever types, and to lists that scroll by them.
export function busy(event) {
  const typing = event.target.closest("input:not([type=range]), select, textarea, dialog, [contenteditable]");
  return Boolean(typing || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented);
}

document.addEventListener("keydown", (event) => {
  if (busy(event)) return;
  const key = KEYS[(event.shiftKey ? "Shift+" : "") + event.key];
  if (!key) return;
  event.preventDefault();
  step(key);
});

window.addEventListener("popstate", () => show(numberOf(location.href) || now.last, "none"));
document.addEventListener("lacitta:go", (event) => show(event.detail.number, "jump"));

readState();
wanted = now.number;
remember(now.number, shown.innerHTML);
slider.hidden = false;
dress();
lookAhead(now.steps);
document.dispatchEvent(new CustomEvent("lacitta:moment", { detail: { game, number: now.number } }));
