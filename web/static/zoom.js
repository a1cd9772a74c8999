// The board inside its frame: seen whole at first; a double tap, a pinch, the wheel, keys and buttons
// zoom it, and it moves by itself to what is lit or previewed.
const table = document.querySelector(".table");
const frame = () => document.getElementById("board");
const hexes = () => [...frame().querySelectorAll("[data-hex]:not(.closed)")];
const MOST = 6;
const READABLE = 30; // pixels across a hex that a finger meets
const STEP = 1.5;
const TWICE = 350; // milliseconds between the taps of a double tap
const NEAR = 26;
let zoom = 1;
let own = false; // whether somebody zoomed, not the page

function hexWidth() {
  const [first] = hexes();
  const face = first?.querySelector("use, path, polygon");
  return (face?.getBoundingClientRect().width ?? 0) / zoom;
}

// Zoom so that what lies at a point of the frame stays there.
function zoomTo(wanted, x, y) {
  const box = frame();
  const next = Math.max(1, Math.min(MOST, wanted));
  const [left, top] = [box.scrollLeft + x, box.scrollTop + y];
  const change = next / zoom;
  zoom = next;
  table.style.setProperty("--zoom", next);
  table.classList.toggle("zoomed", next > 1);
  box.scrollTo({ left: left * change - x, top: top * change - y, behavior: "instant" });
  for (const button of document.querySelectorAll("[data-zoom]")) {
    button.disabled = button.dataset.zoom === "in" ? next >= MOST : next <= 1;
  }
}

function middle() {
  return [frame().clientWidth / 2, frame().clientHeight / 2];
}

function inFrame({ clientX, clientY }) {
  const box = frame().getBoundingClientRect();
  return [clientX - box.left, clientY - box.top];
}

// As near as a finger needs it.
function readable() {
  return Math.max(2, READABLE / (hexWidth() || READABLE));
}

let last = { time: 0, x: 0, y: 0 };
table.addEventListener("click", (event) => {
  if (!event.target.closest("#board")) return;
  const [x, y] = inFrame(event);
  const twice = event.timeStamp - last.time < TWICE && Math.hypot(x - last.x, y - last.y) < NEAR;
  last = { time: twice ? 0 : event.timeStamp, x, y };
  if (!twice) return;
  own = zoom === 1;
  zoomTo(zoom > 1 ? 1 : readable(), x, y);
}, true);

table.addEventListener("wheel", (event) => {
  if (!event.target.closest("#board")) return;
  event.preventDefault();
  own = true;
  zoomTo(zoom * 2 ** (-event.deltaY / (event.deltaMode ? 10 : 400)), ...inFrame(event));
}, { passive: false });

let pinch = null;
function spread([one, other]) {
  return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
}
table.addEventListener("touchstart", (event) => {
  pinch = event.touches.length === 2 && event.target.closest("#board") ? { zoom, spread: spread(event.touches) } : null;
}, { passive: true });
table.addEventListener("touchmove", (event) => {
  if (!pinch || event.touches.length !== 2) return;
  event.preventDefault();
  const [one, other] = event.touches;
  own = true;
  zoomTo(pinch.zoom * spread(event.touches) / pinch.spread, ...inFrame({
    clientX: (one.clientX + other.clientX) / 2, clientY: (one.clientY + other.clientY) / 2,
  }));
}, { passive: false });

// A mouse drags what is zoomed; where it was dragged nothing is chosen.
let drag = null;
table.addEventListener("pointerdown", (event) => {
  if (event.pointerType !== "mouse" || event.button || zoom === 1 || !event.target.closest("#board")) return;
  const { scrollLeft, scrollTop } = frame();
  drag = { x: event.clientX, y: event.clientY, scrollLeft, scrollTop, far: false };
});
addEventListener("pointermove", (event) => {
  if (!drag) return;
  const [right, down] = [event.clientX - drag.x, event.clientY - drag.y];
  drag.far ||= Math.hypot(right, down) > 5;
  if (drag.far) frame().scrollTo({ left: drag.scrollLeft - right, top: drag.scrollTop - down, behavior: "instant" });
});
addEventListener("pointerup", () => {
  if (drag?.far) addEventListener("click", (event) => event.stopPropagation(), { capture: true, once: true });
  drag = null;
});

const KEYS = { "+": STEP, "=": STEP, "-": 1 / STEP, 0: 0 };
table.addEventListener("keydown", (event) => {
  if (!(event.key in KEYS) || event.ctrlKey || event.metaKey || !event.target.closest("#board")) return;
  event.preventDefault();
  own = true;
  zoomTo(zoom * KEYS[event.key], ...middle());
});
for (const button of document.querySelectorAll("[data-zoom]")) {
  button.addEventListener("click", () => {
    own = true;
    zoomTo(button.dataset.zoom === "in" ? zoom * STEP : zoom / STEP < 1.1 ? 1 : zoom / STEP, ...middle());
  });
}

function boxOf(labels) {
  const found = labels.map((label) => frame().querySelector(`[data-hex="${CSS.escape(label)}"]`)?.getBoundingClientRect());
  const boxes = found.filter(Boolean);
  if (!boxes.length) return null;
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const right = Math.max(...boxes.map((box) => box.right));
  const bottom = Math.max(...boxes.map((box) => box.bottom));
  const outer = frame().getBoundingClientRect();
  return { x: (left + right) / 2 - outer.left, y: (top + bottom) / 2 - outer.top, width: right - left, height: bottom - top };
}

// Where hexes are too small for a finger the board comes nearer to them, unless somebody has chosen
// another zoom; whatever the zoom, they are brought into sight.
export function lookAt(labels) {
  const small = hexWidth() < 24;
  if (!labels.length) {
    if (!own && zoom > 1) zoomTo(1, 0, 0);
    return;
  }
  let box = boxOf(labels);
  if (!box) return;
  const room = frame();
  const apart = 4 * hexWidth() * zoom;
  if (small && !own) {
    const fitting = zoom * Math.min(room.clientWidth / (box.width + apart), room.clientHeight / (box.height + apart));
    const wanted = Math.min(fitting, readable());
    zoomTo(wanted < 1.2 ? 1 : wanted, box.x, box.y);
    box = boxOf(labels);
  }
  if (zoom === 1) return;
  const out = Math.abs(box.x - room.clientWidth / 2) + box.width / 2 > room.clientWidth / 2
    || Math.abs(box.y - room.clientHeight / 2) + box.height / 2 > room.clientHeight / 2;
  if (!out && own) return;
  room.scrollTo({
    left: room.scrollLeft + box.x - room.clientWidth / 2,
    top: room.scrollTop + box.y - room.clientHeight / 2,
    behavior: "instant",
  });
}
// News that change nothing for who chooses leave the board where it was moved to.
let lookedAt = "";
document.addEventListener("lacitta:lit", ({ detail: { labels } }) => {
  if (labels.length && labels.join() === lookedAt) return;
  lookedAt = labels.join();
  lookAt(labels);
});
addEventListener("resize", () => zoomTo(zoom, ...middle()));

// Touch has what a pointer gets by hovering: what a hex is.
const words = document.getElementById("hex-words");
let touched = false;
let hiding = 0;
table.addEventListener("pointerup", (event) => (touched = event.pointerType !== "mouse"), true);
table.addEventListener("click", (event) => {
  const title = touched && event.target.closest("#board [data-hex]")?.querySelector("title");
  clearTimeout(hiding);
  words.hidden = !title;
  if (!title) return;
  words.textContent = title.textContent;
  hiding = setTimeout(() => (words.hidden = true), 5000);
}, true);
