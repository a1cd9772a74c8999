// Hexes that can be chosen: lit, with a badge that says what is gained, and walked by arrow keys.
const SVG = "http://www.w3.org/2000/svg";
const CHOOSABLE = "#board .lit, #board .offered";
const ICONS = {
  food: "M0 5.5C-4.5 2-4.5-2 0-6.5C4.5-2 4.5 2 0 5.5Z",
  income: "M0-4.6A4.6 4.6 0 1 1 0 4.6A4.6 4.6 0 1 1 0-4.6Z",
  citizens: "M0-6a2.7 2.7 0 1 1 0 5.4a2.7 2.7 0 1 1 0-5.4M-4.2 5.5q0-5.2 4.2-5.2t4.2 5.2Z",
  culture: "M-4 5V-1A4 4.4 0 0 1 4-1V5Z",
  education: "M-4 5V-1A4 4.4 0 0 1 4-1V5Z",
  health: "M-4 5V-1A4 4.4 0 0 1 4-1V5Z",
};
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function draw(kind, attributes) {
  const made = document.createElementNS(SVG, kind);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

export function hexAt(label) {
  return document.querySelector(`#board [data-hex="${CSS.escape(label)}"]`);
}

// The name of the city whose castle stands on a hex, as the board has it.
export function cityName(label) {
  return document.querySelector(`#board [data-city="${CSS.escape(label)}"]`)?.dataset.name ?? label;
}

export function clearBoard() {
  for (const hex of document.querySelectorAll(CHOOSABLE)) {
    hex.classList.remove("lit", "legal", "offered", "pointed");
    hex.removeAttribute("tabindex");
    hex.removeAttribute("aria-label");
    hex.setAttribute("role", "img");
    for (const part of hex.querySelectorAll(".lit-mark, .badge")) part.remove();
    hex.onclick = null;
    hex.onkeydown = null;
  }
}

function badge(gained, built) {
  const widths = gained.map(({ key, text }) => (ICONS[key] ? 11 : 2) + 7 * text.length);
  const whole = widths.reduce((sum, width) => sum + width, 0) + 6;
  const group = draw("g", { class: "badge", transform: `translate(0 ${built ? -15 : 0})`, "aria-hidden": "true" });
  group.append(draw("rect", { x: -whole / 2, y: -9, width: whole, height: 18, rx: 9 }));
  let left = 3 - whole / 2;
  gained.forEach(({ key, text }, index) => {
    if (ICONS[key]) group.append(draw("path", { d: ICONS[key], class: `icon-${key}`, transform: `translate(${left + 5.5} 0)` }));
    const words = draw("text", { x: left + widths[index], y: 4.6, "text-anchor": "end" });
    words.textContent = text;
    group.append(words);
    left += widths[index];
  });
  return group;
}

// `gained` stands on the hex, `words` are heard; where something can be done at all it is lit
// discreetly.
export function light(label, act, { gained = [], words = "", poor = false, discreet = false } = {}) {
  const hex = hexAt(label);
  if (!hex) return;
  hex.classList.add(...(discreet ? ["offered"] : ["lit", "legal"]));
  hex.setAttribute("tabindex", document.querySelector(`#board [tabindex="0"]`) ? "-1" : "0");
  hex.setAttribute("role", "button");
  const title = hex.querySelector("title")?.textContent ?? label;
  if (words) hex.setAttribute("aria-label", `${title}; ${words}`);
  if (!discreet) {
    const face = hex.querySelector("use, path, polygon");
    const mark = draw("use", { href: "#mark-legal", class: "lit-mark" });
    if (face?.getAttribute("x")) mark.setAttribute("x", face.getAttribute("x"));
    if (face?.getAttribute("y")) mark.setAttribute("y", face.getAttribute("y"));
    hex.append(mark);
  }
  if (gained.length) hex.append(badge(gained, hex.classList.contains("built")));
  if (poor) hex.querySelector(".badge")?.classList.add("poor");
  hex.onclick = (event) => {
    event.stopPropagation();
    act();
  };
  hex.onkeydown = (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      act();
    } else if (ARROWS[event.key] && walk(hex, ARROWS[event.key])) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
}

function centre(hex) {
  const { left, right, top, bottom } = hex.getBoundingClientRect();
  return [(left + right) / 2, (top + bottom) / 2];
}

// On to the hex that lies nearest in a direction.
function walk(hex, [right, down]) {
  const [x, y] = centre(hex);
  let nearest = null;
  let least = Infinity;
  for (const other of document.querySelectorAll(CHOOSABLE)) {
    const [otherX, otherY] = centre(other);
    const along = (otherX - x) * right + (otherY - y) * down;
    const across = Math.abs((otherX - x) * down) + Math.abs((otherY - y) * right);
    if (other !== hex && along > 1 && along + 2 * across < least) [nearest, least] = [other, along + 2 * across];
  }
  if (!nearest) return false;
  hex.setAttribute("tabindex", "-1");
  nearest.setAttribute("tabindex", "0");
  nearest.focus({ preventScroll: true });
  return true;
}

export function focusBoard() {
  document.querySelector(`#board .lit[tabindex="0"]`)?.focus({ preventScroll: true });
}

// Whoever moves the board moves it there.
export function tellLit(labels) {
  document.dispatchEvent(new CustomEvent("lacitta:lit", { detail: { labels } }));
}

// A list beside its hex where the screen has room; elsewhere it stays where it is.
export function putBeside(list, label) {
  const hex = hexAt(label);
  if (!hex || !window.matchMedia("(min-width: 900px)").matches) return;
  list.classList.add("beside");
  const place = hex.getBoundingClientRect();
  const { width, height } = list.getBoundingClientRect();
  const fits = place.right + width + 12 < window.innerWidth;
  list.style.left = `${Math.max(4, fits ? place.right + 8 : place.left - width - 8)}px`;
  list.style.top = `${Math.max(4, Math.min(place.top - 8, window.innerHeight - height - 8))}px`;
}
