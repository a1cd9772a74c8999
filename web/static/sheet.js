// On a phone the turn is a sheet below the board: pulled down only its first line is left, pulled up
// it takes most of the screen. A button and the arrow keys do the same.
const table = document.querySelector(".table");
const grip = document.getElementById("grip");
const SIZES = ["down", "half", "up"];
const FAR = 24;

function size(name) {
  table.dataset.size = name;
  grip.setAttribute("aria-expanded", String(name !== "down"));
}

function move(by) {
  const at = SIZES.indexOf(table.dataset.size) + by;
  size(SIZES[Math.max(0, Math.min(SIZES.length - 1, at))]);
}

let from = null;
let dragged = false;
grip.addEventListener("pointerdown", (event) => {
  from = event.clientY;
  dragged = false;
  grip.setPointerCapture(event.pointerId);
});
grip.addEventListener("pointermove", (event) => {
  if (from === null) return;
  const way = event.clientY - from;
  if (Math.abs(way) < FAR) return;
  move(way < 0 ? 1 : -1);
  from = event.clientY + Math.sign(way) * FAR * 2;
  dragged = true;
});
for (const kind of ["pointerup", "pointercancel"]) grip.addEventListener(kind, () => (from = null));
grip.addEventListener("click", () => {
  if (!dragged) size(table.dataset.size === "half" ? "down" : "half");
  dragged = false;
});
grip.addEventListener("keydown", (event) => {
  if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
  event.preventDefault();
  move(event.key === "ArrowUp" ? 1 : -1);
});
// What is lit on the board has to be seen.
document.addEventListener("lacitta:lit", ({ detail }) => {
  if (detail.labels.length && table.dataset.size === "up") size("half");
});
