// What happened, told on the board itself: news are played as they come, and whatever came before is
// walked through, step by step or by itself. The present is put back afterwards.
import { ask } from "./asking.js";
import { insist } from "./connection.js";
import { tellLit } from "./lit_board.js";
import { Picture, unrolled } from "./picture.js";
import { animate, isStill, PACE, Playback, readFigures, showFigures } from "./playback.js";
import { isShortcut } from "./shortcuts.js";

const ASIDE = "input, select, textarea, [contenteditable], dialog[open]";
const ENDS_A_YEAR = new Set(["voice-spoke", "citizen-moved", "citizens-starved", "year-ended", "game-won"]);

export class Walk {
  // `bar` tells what is seen and has the buttons; `query()` says for which seat; `last()` which moment
  // is the present; `begin()` and `end()` are called around everything that takes the board.
  constructor({ game, bar, query, last, begin, end }) {
    Object.assign(this, { game, bar, query, last, begin, end });
    this.at = 0;
    this.moments = new Map();
    this.timer = 0;
    this.playback = null;
    this.closing = null;
    bar.addEventListener("click", ({ target }) => this.press(target.closest("button")));
    document.addEventListener("keydown", (event) => this.key(event));
  }

  get frame() {
    return document.getElementById("board");
  }

  get isOpen() {
    return this.at > 0;
  }

  // Comes true when nobody walks any more.
  get over() {
    return this.closing?.promise;
  }

  press(button) {
    if (!button) return;
    const { step } = button.dataset;
    if (step) this.show(this.at + Number(step));
    else if ("play" in button.dataset) this.timer ? this.pause() : this.play();
    else if ("skip" in button.dataset) this.playback?.skip();
    else this.close();
  }

  key(event) {
    if (event.key === "Escape" && !event.target.closest?.(ASIDE)) {
      if (!this.playback && !this.isOpen) return;
      this.playback?.skip();
      this.close();
      event.stopImmediatePropagation();
    }
    if (!this.isOpen || !["ArrowLeft", "ArrowRight"].includes(event.key) || !isShortcut(event)) return;
    this.pause();
    this.show(this.at + (event.key === "ArrowLeft" ? -1 : 1));
  }

  tell({ number, sentences = [] }, mode) {
    const [count, words, reason] = this.bar.querySelector(".moment-words").children;
    const text = sentences.join(" ");
    // Between two sentences there is no flicker for what tells nothing.
    if (mode === "walk" || text) {
      count.textContent = number;
      words.textContent = text;
    }
    const byBot = mode === "walk" && document.querySelector(`.story [data-explain="${number}"]`);
    const asked = document.createElement("span");
    if (byBot) asked.className = "explain";
    if (byBot) asked.dataset.explain = number;
    reason.replaceWith(asked);
    this.bar.dataset.version = number;
    this.bar.dataset.mode = mode;
    for (const button of this.bar.querySelectorAll("button, a")) button.hidden = ("skip" in button.dataset) !== (mode === "news");
    this.bar.querySelector(".moment-words").setAttribute("aria-live", mode === "walk" ? "polite" : "off");
    this.bar.hidden = false;
  }

  // Plays moments as the server gives them, each relative to the one before; `drawn` is called with
  // the number of each that is on the board. What the reader did at `own` was seen already.
  async playNews({ pool, moments }, { own = 0, drawn = () => {} } = {}) {
    // Whoever saw a part of the board near sees all of it.
    tellLit([]);
    this.playback = new Playback(this.frame, {
      onMoment: (moment) => {
        drawn(moment.number);
        if (moment.sentences.length && !isStill()) this.tell(moment, "news");
      },
      isQuiet: ({ number, effects = [] }) =>
        number === own && !effects.some(({ effect }) => ENDS_A_YEAR.has(effect)),
    });
    try {
      await this.playback.play({ pool, moments });
    } finally {
      this.playback = null;
      this.bar.hidden = true;
    }
  }

  skip() {
    this.playback?.skip();
  }

  async load(number) {
    if (this.moments.has(number)) return true;
    const forward = number > this.at;
    const after = Math.max(0, forward ? number - 1 : number - 10);
    const wanted = this.wanted;
    const answer = await insist(
      () => ask(`/api/games/${this.game}/moments?after=${after}&whole=1&${this.query()}`),
      { isStale: () => this.wanted !== wanted });
    if (answer?.status !== 200 || this.wanted !== wanted) return false;
    const layers = new Picture(this.frame).layers.length;
    for (const moment of unrolled(answer.body.moments, answer.body.pool, layers)) this.moments.set(moment.number, moment);
    return this.moments.has(number);
  }

  // Shows a moment of the past on the board; says whether it does.
  async show(number) {
    const wanted = Math.max(1, Math.min(this.last(), number));
    this.wanted = wanted;
    if (!(await this.load(wanted)) || this.wanted !== wanted) return false;
    this.open();
    const forward = wanted === this.at + 1;
    this.at = wanted;
    const moment = this.moments.get(wanted);
    const quiet = isStill();
    this.settle();
    this.picture.show(moment.layers);
    this.settle = showFigures(moment.scores, forward && !quiet ? PACE : 0);
    this.animations = forward && !quiet ? animate(this.frame, moment.effects) : [];
    this.tell(moment, "walk");
    this.bar.querySelector("#walk-replay").href = `/replay/${this.game}/${wanted}${location.search}`;
    this.disable("[data-step='-1']", wanted <= 1);
    this.disable("[data-step='1']", wanted >= this.last());
    return true;
  }

  // A button that is switched off loses the focus, and the arrow keys with it.
  disable(selector, off) {
    const button = this.bar.querySelector(selector);
    const focused = document.activeElement === button;
    button.disabled = off;
    if (off && focused) this.bar.querySelector("[data-close]").focus();
  }

  open() {
    if (this.closing) return;
    this.begin();
    tellLit([]);
    document.dispatchEvent(new CustomEvent("lacitta:show", { detail: { panel: "board", asked: true } }));
    let resolve;
    const promise = new Promise((done) => (resolve = done));
    this.closing = { promise, resolve };
    this.present = this.frame.querySelector(":scope > svg");
    this.figures = readFigures();
    this.settle = () => {};
    const copy = this.present.cloneNode(true);
    this.present.replaceWith(copy);
    this.frame.classList.add("past");
    this.picture = new Picture(this.frame);
    this.bar.hidden = false;
    this.bar.querySelector("[data-close]").hidden = false;
    this.bar.querySelector("[data-close]").focus({ preventScroll: true });
  }

  close() {
    if (!this.closing) return;
    this.pause();
    this.settle();
    for (const animation of this.animations) animation.finish();
    this.frame.querySelector(":scope > svg").replaceWith(this.present);
    this.frame.classList.remove("past");
    showFigures(this.figures);
    const { resolve } = this.closing;
    Object.assign(this, { at: 0, wanted: 0, closing: null });
    this.moments.clear();
    this.bar.hidden = true;
    this.end();
    resolve();
  }

  // From a moment on to the present, and back into the game.
  async playFrom(number) {
    if ((await this.show(number)) && !isStill()) this.play();
  }

  play() {
    const button = this.bar.querySelector("[data-play]");
    button.dataset.play ||= button.textContent;
    button.textContent = this.bar.dataset.playing;
    const next = async () => {
      if (this.at >= this.last()) this.close();
      else if (await this.show(this.at + 1)) this.timer = setTimeout(next, PACE);
    };
    this.timer = setTimeout(next, PACE);
  }

  pause() {
    const button = this.bar.querySelector("[data-play]");
    if (button.dataset.play) button.textContent = button.dataset.play;
    clearTimeout(this.timer);
    this.timer = 0;
  }
}
