// What notes draw on the board: coloured hexes and arrows, put over whatever moment is shown.
const SVG = "http://www.w3.org/2000/svg";
const NECK = 13;
const WING = 8.5;

function made(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

export function hexAt(label) {
  return document.querySelector(`#board [data-hex="${CSS.escape(label)}"]:not(.closed)`);
}

// The middle of a hex in the drawing's own measure.
export function centre(hex) {
  const { e, f } = hex.transform.baseVal.consolidate().matrix;
  return { x: e, y: f };
}

function short(from, to, by) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const ux = (to.x - from.x) / length;
  const uy = (to.y - from.y) / length;
  return { x: to.x - ux * by, y: to.y - uy * by, ux, uy };
}

function ring(colour) {
  return made("use", {
    href: "#hex", transform: "scale(.86)", class: `note ink s-note-${colour}`,
    fill: "none", "stroke-width": 5,
  });
}

// A bent arrow that ends before the middle, so that what stands on both hexes stays legible.
function arrow(from, to, colour) {
  const bend = 0.16;
  const turn = {
    x: (from.x + to.x) / 2 + (to.y - from.y) * bend,
    y: (from.y + to.y) / 2 - (to.x - from.x) * bend,
  };
  const start = short(turn, from, 24);
  const tip = short(turn, to, 18);
  const neck = { x: tip.x - NECK * tip.ux, y: tip.y - NECK * tip.uy };
  const line = `M${start.x} ${start.y}Q${turn.x} ${turn.y} ${neck.x} ${neck.y}`;
  const wings = [1, -1].map((side) => `${neck.x - side * WING * tip.uy} ${neck.y + side * WING * tip.ux}`);
  const whole = made("g", { class: "arrow ink" });
  whole.append(
    made("path", { d: line, fill: "none", class: "s-halo", "stroke-width": 7.5, "stroke-linecap": "round" }),
    made("path", { d: `M${tip.x} ${tip.y}L${wings.join("L")}Z`, class: `f-note-${colour} s-halo`, "stroke-width": 1.6, "stroke-linejoin": "round" }),
    made("path", { d: line, fill: "none", class: `s-note-${colour}`, "stroke-width": 4, "stroke-linecap": "round" }),
  );
  return whole;
}

// Draw these and nothing else: {hexes: {label: colour}, arrows: [{start, end, colour}]} each.
export function draw(drawings) {
  for (const old of document.querySelectorAll("#board .ink")) old.remove();
  const over = document.querySelector("#board .moves");
  for (const { hexes = {}, arrows = [] } of drawings) {
    for (const [label, colour] of Object.entries(hexes)) hexAt(label)?.append(ring(colour));
    for (const { start, end, colour } of arrows) {
      const [from, to] = [hexAt(start), hexAt(end)];
      if (from && to && from !== to) over.append(arrow(centre(from), centre(to), colour));
    }
  }
}
