// A tour over the table: it frames one part after the other. Everything else stays in use meanwhile.
import { ask } from "./asking.js";
import { tipLink } from "./rule_link.js";

const tour = document.getElementById("tour");
const start = document.getElementById("tour-start");
const title = document.getElementById("tour-title");
const text = document.getElementById("tour-text");
const count = document.getElementById("tour-count");
const next = tour.querySelector("[data-tour='1']");
const back = tour.querySelector("[data-tour='-1']");
const goOn = next.textContent;
const steps = JSON.parse(tour.querySelector("template").content.textContent);
let at = 0;
let remembered = !("offered" in tour.dataset);
let before = null;

function target() {
  const { castle } = document.getElementById("state").dataset;
  for (const selector of steps[at].at) {
    const found = document.querySelector(selector.replace("{castle}", CSS.escape(castle)));
    if (found?.getClientRects().length) return found;
  }
  return null;
}

// News replaces the parts of the page: the frame goes around what is there now.
function frame() {
  const wanted = tour.hidden ? null : target();
  for (const old of document.querySelectorAll(".toured")) {
    if (old !== wanted) old.classList.remove("toured");
  }
  wanted?.classList.add("toured");
  return wanted;
}

function overlap(one, other) {
  const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return Math.max(0, across) * Math.max(0, down);
}

// The slip goes into the corner where it covers least of what it speaks of, and of the turn above all:
// whoever is shown around can act all the while.
const CORNERS = [[], ["left"], ["top"], ["top", "left"]];
function placeBeside(element) {
  element.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  const box = element.getBoundingClientRect();
  const covered = CORNERS.map((corner) => {
    for (const side of ["left", "top"]) tour.classList.toggle(side, corner.includes(side));
    const own = tour.getBoundingClientRect();
    const turn = [...document.querySelectorAll("#bar, .owes")].map((each) => overlap(own, each.getBoundingClientRect()));
    return overlap(own, box) + 3 * Math.max(...turn);
  });
  const best = CORNERS[covered.indexOf(Math.min(...covered))];
  for (const side of ["left", "top"]) tour.classList.toggle(side, best.includes(side));
}

// What lies in a panel that is not open now is opened.
function bringUp() {
  for (const selector of steps[at].at) {
    const found = document.querySelector(selector.replace("{castle}", CSS.escape(document.getElementById("state").dataset.castle)));
    if (!found || found.closest("[hidden]")) continue;
    const panel = found.closest("[data-panel]")?.dataset.panel ?? (found.closest("#bar") ? "board" : "");
    if (panel && !found.getClientRects().length) document.dispatchEvent(new CustomEvent("lacitta:show", { detail: { panel } }));
    return;
  }
}

function show(number) {
  at = number;
  tour.hidden = false;
  title.textContent = steps[at].title;
  text.replaceChildren(steps[at].text, " ", tipLink(steps[at].tip));
  count.textContent = count.dataset.words.replace("{number}", at + 1).replace("{all}", steps.length);
  next.textContent = at === steps.length - 1 ? next.dataset.done : goOn;
  if (at === 0 && document.activeElement === back) next.focus();
  back.disabled = at === 0;
  bringUp();
  const spoken = frame();
  if (spoken) placeBeside(spoken);
}

function open() {
  before = document.activeElement;
  show(0);
  title.focus({ preventScroll: true });
}

function end() {
  const inside = tour.contains(document.activeElement);
  tour.hidden = true;
  frame();
  if (inside) (before?.isConnected && before !== document.body ? before : start).focus({ preventScroll: true });
  if (remembered) return;
  remembered = true;
  // Whoever cannot be reached now is asked again at the next table.
  ask("/api/me/tour", { method: "POST" }).catch(() => {});
}

function step(by) {
  if (at + by >= steps.length) end();
  else show(Math.max(0, at + by));
}

tour.addEventListener("click", (event) => {
  const wish = event.target.dataset?.tour;
  if (wish === "end") end();
  else if (wish) step(Number(wish));
});
tour.addEventListener("keydown", (event) => {
  if (event.key === "ArrowRight") step(1);
  if (event.key === "ArrowLeft" && at) step(-1);
});
// Before the page itself hears of it, which would take a step of the turn back.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || tour.hidden || document.querySelector("dialog[open]")) return;
  event.stopImmediatePropagation();
  end();
}, true);

start.hidden = false;
start.addEventListener("click", open);
new MutationObserver(() => { if (!tour.hidden) frame(); }).observe(document.getElementById("parts"), { childList: true });
if (!remembered) open();
