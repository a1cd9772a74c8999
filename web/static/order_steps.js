// The form of a political order: turns with steps, each chosen like an action at the table.
import { send } from "./asking.js";
import { Chooser } from "./chooser.js";
import { clone, movable, put, said, value } from "./order_lists.js";
import { say } from "./words.js";

const MOST_TURNS = 5;
const MOST_STEPS = 8;

export function turnTitle(number) {
  return put(clone("turn").querySelector("h4").textContent, { number });
}

// A step is taken as soon as it is chosen: what it would do is not yet known.
class StepChooser extends Chooser {
  constructor({ turn, title, picked }) {
    super({ turn, title });
    this.picked = picked;
  }

  get choosing() {
    return Boolean(document.activeElement?.closest(".order-chooser, #board"));
  }

  // The cards on display, too, belong to the table again.
  clear() {
    super.clear();
    this.markCards([]);
  }

  async showPreview(action) {
    this.clear();
    this.picked(action);
  }
}

export class PoliticsForm {
  constructor(form, now) {
    Object.assign(this, { form, now });
    this.turns = form.querySelector("[data-turns]");
    this.closer = form.querySelector("[data-close-chooser]");
    this.more = form.querySelector("[data-add-turn]");
    this.forYear = form.querySelector("[data-for-year]");
    this.yearText = this.forYear.textContent;
    this.steps = new WeakMap();
    this.into = null;
    this.chooser = new StepChooser({
      turn: form.querySelector("[data-chooser]"),
      title: said("choosing"),
      picked: (action) => this.take(action),
    });
    this.more.addEventListener("click", () => {
      this.addTurn();
      this.turns.lastElementChild.querySelector("[data-add-step]").focus();
    });
    this.closer.addEventListener("click", () => {
      const { into } = this;
      this.close();
      into?.querySelector("[data-add-step]").focus();
    });
  }

  fill(seen) {
    this.turns.replaceChildren();
    for (const steps of seen?.turns ?? [[]]) {
      const turn = this.addTurn();
      for (const { step, sentence } of steps) this.addStep(turn, step, sentence);
    }
    const stops = seen?.order.stops ?? [];
    for (const when of ["near", "gone", "shown"]) {
      const stop = stops.find((each) => each.when === when);
      this.form.elements[when].value = stop?.city ?? stop?.card ?? "";
    }
    this.tell(this.now().politics);
  }

  tell({ year }) {
    this.forYear.textContent = put(this.yearText, { year });
  }

  addTurn() {
    const turn = movable(clone("turn"), { changed: () => this.number() });
    turn.querySelector("[data-add-step]").addEventListener("click", () => this.choose(turn));
    this.turns.append(turn);
    this.number();
    return turn;
  }

  number() {
    for (const [index, turn] of [...this.turns.children].entries()) {
      turn.querySelector("h4").textContent = turnTitle(index + 1);
    }
    this.more.hidden = this.turns.children.length >= MOST_TURNS;
  }

  addStep(turn, { action, only = {} }, sentence) {
    const row = movable(clone("step"), { changed: () => this.limit(turn) });
    row.querySelector("[data-words]").textContent = sentence;
    const fields = row.querySelector("details");
    row.querySelector('[name="gold"]').value = only.gold ?? 0;
    row.querySelector('[name="card"]').value = only.card ?? "";
    row.querySelector('[name="voice"]').value = only.voice ?? "";
    row.querySelector('[name="alone"]').checked = only.alone ?? false;
    fields.open = Object.keys(only).length > 0;
    this.steps.set(row, action);
    turn.querySelector("[data-steps]").append(row);
    this.limit(turn);
    return row;
  }

  limit(turn) {
    const full = turn.querySelector("[data-steps]").children.length >= MOST_STEPS;
    turn.querySelector("[data-add-step]").hidden = full;
  }

  // What could be done there: after the first step of each turn before.
  async choose(turn) {
    const before = [];
    for (const earlier of this.turns.children) {
      if (earlier === turn) break;
      const [first] = earlier.querySelector("[data-steps]").children;
      if (first) before.push(this.steps.get(first));
    }
    const { game, seat } = this.now();
    const { status, body } = await send(`/api/games/${game}/orders/choices?seat=${seat}`, { before });
    if (status !== 200 || !body.actions.length) {
      say(body.sentence ?? said("nothing"), true);
      return;
    }
    this.tell(body);
    this.into = turn;
    this.offered = body;
    turn.append(this.chooser.turn, this.closer);
    this.closer.hidden = false;
    this.chooser.picks = [];
    this.chooser.offer({ actions: body.actions, suggestion: null, version: body.version }, true);
  }

  take(action) {
    const index = this.offered.actions.indexOf(action);
    const row = this.addStep(this.into, { action }, this.offered.sentences[index]);
    this.close();
    say(row.querySelector("[data-words]").textContent);
    row.closest(".order-turn").querySelector("[data-add-step]").focus();
  }

  // The board belongs to the table's own choice again.
  close() {
    if (!this.into) return;
    this.into = null;
    this.closer.hidden = true;
    this.chooser.clear();
    document.dispatchEvent(new CustomEvent("lacitta:board"));
  }

  // The board was drawn anew: what can be chosen is lit again.
  redrawn() {
    if (this.into) this.chooser.show();
  }

  back() {
    return Boolean(this.into) && this.chooser.back();
  }

  order() {
    const turns = [...this.turns.children].map((turn) =>
      [...turn.querySelector("[data-steps]").children].map((row) => this.step(row)));
    if (!turns.length || turns.some((steps) => !steps.length)) throw new Error(said("no-step"));
    const { near, gone, shown } = this.form.elements;
    const stops = [
      near.value && { when: "near", city: near.value },
      gone.value && { when: "gone", card: gone.value },
      shown.value && { when: "shown", card: shown.value },
    ].filter(Boolean);
    return { kind: "politics", turns, stops };
  }

  step(row) {
    const only = {
      gold: Number(value(row, "gold")) || 0,
      card: value(row, "card") || null,
      voice: value(row, "voice") || null,
      alone: row.querySelector('[name="alone"]').checked,
    };
    return { action: this.steps.get(row), only };
  }
}

