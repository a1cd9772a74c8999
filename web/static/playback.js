// Plays what happened on the board, one moment after the other: what is new appears, who moves goes
// along an arrow, figures count up. All that happens is in the moments' effects; no rule is known here.
import { Picture } from "./picture.js";

export const PACE = 600;
const SVG = "http://www.w3.org/2000/svg";
const FIGURES = ["points", "citizens", "food", "gold", "cards"];
const still = window.matchMedia("(prefers-reduced-motion: reduce)");

// Whether nothing is to move: somebody wishes so, or nobody looks.
export function isStill() {
  return still.matches || document.hidden;
}

function hexAt(frame, label) {
  return frame.querySelector(`[data-hex="${CSS.escape(label)}"]`);
}

function middle(frame, label) {
  const matrix = hexAt(frame, label)?.transform.baseVal.consolidate()?.matrix;
  return matrix ? { x: matrix.e, y: matrix.f } : null;
}

const APPEAR = [
  { opacity: 0, transform: "scale(.3)" },
  { opacity: 1, transform: "scale(1.25)", offset: 0.6 },
  { opacity: 1, transform: "scale(1)" },
];
const PULSE = [{ transform: "scale(1)" }, { transform: "scale(1.3)", offset: 0.4 }, { transform: "scale(1)" }];
const FADE = [{ opacity: 1 }, { opacity: 0.6 }];

// Animates the effects of a moment that is drawn already; gives the animations that run.
export function animate(frame, effects, pace = PACE) {
  const found = [];
  const run = (element, frames, more = {}) => {
    if (!element) return;
    element.style.transformBox = "fill-box";
    element.style.transformOrigin = "center";
    const animation = element.animate(frames, { duration: pace, easing: "ease-out", ...more });
    const tidy = () => {
      element.style.removeProperty("transform-box");
      element.style.removeProperty("transform-origin");
      if (!element.getAttribute("style")) element.removeAttribute("style");
    };
    animation.finished.then(tidy, tidy);
    found.push(animation);
  };
  const piece = (label) => hexAt(frame, label)?.querySelector(".piece");
  let movers = 0;
  for (const effect of effects) {
    if (effect.effect === "building-raised" || effect.effect === "figures-placed") run(piece(effect.at), APPEAR);
    else if (effect.effect === "city-founded") run(piece(effect.city), APPEAR);
    else if (effect.effect === "building-fell") run(hexAt(frame, effect.at)?.querySelector(".ghost"), FADE);
    else if (effect.effect === "citizens-came" || effect.effect === "citizens-starved") run(piece(effect.city), PULSE);
    else if (effect.effect === "citizen-moved") {
      const animation = walk(frame, effect, pace, movers);
      if (animation) found.push(animation);
      movers += 1;
    }
  }
  for (const arrow of movers ? frame.querySelectorAll(".moves > .move") : []) {
    found.push(arrow.animate([{ opacity: 0.2 }, { opacity: 1 }], { duration: pace }));
  }
  return found;
}

// Somebody who goes from one castle to another.
function walk(frame, { from_city: from, city }, pace, place) {
  const [start, end] = [middle(frame, from), middle(frame, city)];
  const over = frame.querySelector(".moves");
  if (!start || !end || !over) return null;
  const walker = document.createElementNS(SVG, "use");
  walker.setAttribute("href", "#meeple");
  walker.setAttribute("class", "walker ink f-move");
  over.append(walker);
  const at = ({ x, y }) => ({ transform: `translate(${x}px, ${y}px)` });
  const animation = walker.animate([at(start), at(end)], {
    duration: pace * 0.9, delay: Math.min(place * 40, pace / 4), easing: "ease-in-out", fill: "both",
  });
  const tidy = () => walker.remove();
  animation.finished.then(tidy, tidy);
  return animation;
}

// The element that holds the number itself, within whatever was put around it.
function innermost(element) {
  let inner = element;
  while (inner.firstElementChild && !inner.firstElementChild.matches("small, .heard")) inner = inner.firstElementChild;
  return inner;
}

function numberIn(element) {
  const inner = innermost(element);
  const text = [...inner.childNodes].find((node) => node.nodeType === Node.TEXT_NODE && /\d/.test(node.data)) ?? inner;
  return { inner, text, value: Number.parseInt(text.textContent.replace("−", "-"), 10) };
}

// The figures as they stand on the page, seat by seat; where one is not shown there is none.
export function readFigures(root = document) {
  const found = [];
  FIGURES.forEach((figure, place) => {
    for (const element of root.querySelectorAll(`[data-${figure}]`)) {
      const seat = Number(element.dataset[figure]);
      (found[seat - 1] ??= [])[place] = numberIn(element).value;
    }
  });
  return found;
}

// Every place marked data-gold="2" and the like shows a seat's figure, counted up in `pace` ms.
export function showFigures(scores, pace = 0, root = document) {
  const steps = [];
  scores?.forEach((row, index) => {
    FIGURES.forEach((figure, place) => {
      for (const element of root.querySelectorAll(`[data-${figure}="${index + 1}"]`)) {
        const { inner, text, value: from } = numberIn(element);
        if (row[place] === undefined || from === row[place]) continue;
        const put = (value) => {
          if (text === inner) inner.textContent = value;
          else text.data = text.data.replace(/[-−]?\d+/, value);
        };
        if (!pace || Number.isNaN(from)) put(row[place]);
        else steps.push((share) => put(Math.round(from + (row[place] - from) * share)));
      }
    });
  });
  if (!steps.length) return () => {};
  const begun = performance.now();
  let request = 0;
  const step = (time) => {
    const share = Math.min(1, Math.max(0, (time - begun) / pace));
    for (const each of steps) each(share);
    if (share < 1) request = requestAnimationFrame(step);
  };
  request = requestAnimationFrame(step);
  return () => {
    cancelAnimationFrame(request);
    for (const each of steps) each(1);
  };
}

export class Playback {
  // `frame` is the element that holds the board. `onMoment(moment)` is called as each one begins;
  // what `isQuiet(moment)` takes no time.
  constructor(frame, { onMoment = () => {}, isQuiet = () => false, pace = PACE } = {}) {
    Object.assign(this, { frame, onMoment, isQuiet, pace });
    this.picture = new Picture(frame);
    this.playing = false;
    this.skipped = false;
    this.finish = () => {};
  }

  // Moments as the server gives them: {pool, moments}, the first relative to what is shown.
  async play({ pool, moments }) {
    this.playing = true;
    this.skipped = false;
    for (const moment of moments) {
      this.picture.splice(moment.board ?? [], pool);
      this.onMoment({ sentences: [], effects: [], ...moment });
      await this.act(moment);
    }
    this.playing = false;
  }

  async act(moment) {
    const { effects = [], scores } = moment;
    const quiet = this.skipped || isStill() || this.isQuiet(moment);
    const settle = showFigures(scores, quiet ? 0 : this.pace);
    if (quiet || !effects.length) {
      settle();
      return;
    }
    const animations = animate(this.frame, effects, this.pace);
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, this.pace);
      this.finish = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    for (const animation of animations) animation.finish();
    settle();
  }

  // Everything that is left is shown at once.
  skip() {
    this.skipped = true;
    this.finish();
  }
}
