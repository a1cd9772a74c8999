// A game that plays by itself, turn by turn, until its end or until it is paused.
import { animate, PACE as MOST } from "./playback.js";
import { shortcutsOn } from "./shortcuts.js";
import { known } from "./stepping.js";
import { busy, now, show } from "./viewer.js";

const button = document.getElementById("play");
const speed = document.getElementById("speed");
const PACE = 1600;
const still = window.matchMedia("(prefers-reduced-motion: reduce)");
let timer = 0;

function dress(on) {
  const text = on ? button.dataset.off : button.dataset.on;
  button.classList.toggle("playing", on);
  button.title = text;
  button.querySelector(".heard").textContent = text;
}

function pause() {
  clearTimeout(timer);
  timer = 0;
  dress(false);
}

function play() {
  dress(true);
  timer = setTimeout(go, now.number >= now.last ? 0 : PACE / Number(speed.value) / 4);
}

async function go() {
  const mine = timer;
  // From the end it begins again.
  const goal = now.number >= now.last && button.dataset.began !== "yes" ? 1 : now.steps["turn-on"];
  button.dataset.began = "yes";
  await show(goal);
  if (timer !== mine) return;
  const { effects = [] } = known(now.number) ?? {};
  if (!still.matches) animate(document.getElementById("board"), effects, Math.min(MOST, PACE / Number(speed.value) / 2));
  if (now.number >= now.last) pause();
  else timer = setTimeout(go, PACE / Number(speed.value));
}

function toggle() {
  button.dataset.began = "";
  if (timer) pause();
  else play();
}

button.hidden = false;
speed.closest("label").hidden = false;
dress(false);
button.addEventListener("click", toggle);
document.addEventListener("keydown", (event) => {
  if (event.key !== " " || busy(event) || !shortcutsOn()) return;
  if (event.target.closest("button, a[href], summary")) return;
  event.preventDefault();
  toggle();
});
// Whoever steps by hand has taken over.
document.querySelector(".viewer").addEventListener("click", (event) => {
  if (timer && event.target.closest("a")) pause();
});
document.getElementById("slider").addEventListener("input", pause);
document.addEventListener("keydown", (event) => {
  if (timer && /^(Arrow|Page|Home|End)/.test(event.key)) pause();
});
