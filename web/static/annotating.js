// Drawing on the board: a click colours a hex, a drag or two clicks make an arrow; all of it by keys
// as well. What is drawn so far is kept here and handed to whoever asks.
import { centre, hexAt } from "./annotations.js";

const form = document.getElementById("note-form");
const toggle = document.getElementById("draw");
const tools = document.getElementById("tools");
const list = document.getElementById("drawn");
const from = document.getElementById("arrow-from");
const to = document.getElementById("arrow-to");
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

let hexes = {};
let arrows = [];
let started = "";
let dragged = "";
let here = "";
let changed = () => {};

export function drawing() {
  return { hexes: { ...hexes }, arrows: [...arrows] };
}

export function take(drawn, onChange) {
  hexes = { ...drawn.hexes };
  arrows = [...(drawn.arrows ?? [])];
  started = "";
  changed = onChange;
  tell();
}

export function isDrawing() {
  return toggle.getAttribute("aria-pressed") === "true";
}

export function stop() {
  toggle.setAttribute("aria-pressed", "false");
  tools.hidden = true;
  equip();
}

function open() {
  return [...document.querySelectorAll("#board [data-hex]:not(.closed)")];
}

function colour() {
  return form.elements.ink.value;
}

function tool() {
  return form.elements.tool.value;
}

function same(one, start, end) {
  return one.start === start && one.end === end;
}

function colourHex(label) {
  if (tool() === "erase" || hexes[label] === colour()) delete hexes[label];
  else hexes[label] = colour();
  if (tool() === "erase") arrows = arrows.filter((one) => one.start !== label && one.end !== label);
  tell();
}

// The same arrow once more takes it away.
function addArrow(start, end) {
  started = "";
  if (start && end && start !== end) {
    const known = arrows.find((one) => same(one, start, end));
    arrows = arrows.filter((one) => one !== known);
    if (known?.colour !== colour()) arrows.push({ start, end, colour: colour() });
  }
  tell();
}

// Where an arrow begins, or ends when it has begun.
function point(label) {
  if (started) addArrow(started, label);
  else {
    started = label;
    tell();
  }
}

function press(label) {
  if (tool() === "arrow") point(label);
  else colourHex(label);
}

function entry(text, remove) {
  const line = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  button.className = "plain";
  button.textContent = "✕";
  button.setAttribute("aria-label", `${list.dataset.remove}: ${text}`);
  button.addEventListener("click", () => {
    remove();
    tell();
    (list.querySelector("button") ?? toggle).focus();
  });
  line.append(`${text} `, button);
  return line;
}

function word(name) {
  return form.querySelector(`.ink-${name} span`).textContent;
}

function tell() {
  list.replaceChildren(
    ...Object.entries(hexes).map(([label, name]) =>
      entry(`${label} ${word(name)}`, () => delete hexes[label])),
    ...arrows.map((one) =>
      entry(`${one.start} → ${one.end} ${word(one.colour)}`, () => {
        arrows = arrows.filter((other) => other !== one);
      })),
  );
  for (const hex of open()) hex.classList.toggle("started", hex.dataset.hex === started);
  changed();
}

// While drawing, one hex takes the focus by Tab, and the arrow keys lead on from it.
export function equip() {
  const on = isDrawing();
  document.getElementById("board").classList.toggle("drawing", on);
  const all = open();
  if (!all.some((hex) => hex.dataset.hex === here)) here = all[0]?.dataset.hex ?? "";
  for (const hex of all) {
    if (on) {
      hex.setAttribute("role", "button");
      hex.setAttribute("tabindex", hex.dataset.hex === here ? "0" : "-1");
    } else if (!hex.classList.contains("lit")) {
      hex.setAttribute("role", "img");
      hex.removeAttribute("tabindex");
    }
    hex.classList.toggle("started", on && hex.dataset.hex === started);
  }
  if (on && !from.options.length) {
    const labels = all.map((hex) => hex.dataset.hex).sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
    for (const select of [from, to]) select.replaceChildren(...labels.map((label) => new Option(label, label)));
  }
}

// The nearest hex in a direction, those straight ahead first.
function neighbour(hex, [dx, dy]) {
  const at = centre(hex);
  let best = null;
  let least = Infinity;
  for (const other of open()) {
    const { x, y } = centre(other);
    const ahead = (x - at.x) * dx + (y - at.y) * dy;
    const aside = Math.abs((x - at.x) * dy) + Math.abs((y - at.y) * dx);
    const cost = ahead + 2 * aside;
    if (ahead > 1 && cost < least) [best, least] = [other, cost];
  }
  return best;
}

function walk(hex, direction) {
  const next = neighbour(hex, direction);
  if (!next) return;
  hex.setAttribute("tabindex", "-1");
  next.setAttribute("tabindex", "0");
  here = next.dataset.hex;
  next.focus();
}

function labelOf(event) {
  return event.target.closest?.("#board [data-hex]:not(.closed)")?.dataset.hex ?? "";
}

document.addEventListener("keydown", (event) => {
  const label = isDrawing() && labelOf(event);
  if (!label || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Enter" || event.key === " ") press(label);
  else if (event.key.toLowerCase() === "a") point(label);
  else if (event.key === "Escape" && started) addArrow("", "");
  else if (KEYS[event.key]) walk(hexAt(label), KEYS[event.key]);
  else return;
  event.preventDefault();
  event.stopPropagation();
}, true);

// A finger scrolls the board, so only a mouse or a pen drags an arrow.
document.addEventListener("pointerdown", (event) => {
  dragged = isDrawing() && event.pointerType !== "touch" && event.button === 0 ? labelOf(event) : "";
});
document.addEventListener("pointerup", (event) => {
  const [start, end] = [dragged, labelOf(event)];
  dragged = "";
  if (!start || !end || start === end) return;
  addArrow(start, end);
});
document.addEventListener("click", (event) => {
  const label = isDrawing() && labelOf(event);
  if (label) press(label);
});

toggle.addEventListener("click", () => {
  const on = !isDrawing();
  toggle.setAttribute("aria-pressed", String(on));
  tools.hidden = !on;
  started = "";
  equip();
  tell();
  if (on) document.getElementById("board").scrollIntoView({ block: "nearest" });
});
document.getElementById("add-arrow").addEventListener("click", () => addArrow(from.value, to.value));
