// The moments of a game as the server draws them: asked for once, and ahead of the reader.
import { askMarkup } from "./asking.js";

const { edition, root } = document.querySelector(".viewer").dataset;
const MOST = 80;
const AHEAD = ["turn-on", "turn-back", "year-back", "year-on", "event-on", "event-back", "parting"];
const kept = new Map();

export function remember(number, html) {
  kept.set(number, Promise.resolve(html));
}

// The moment's markup, or nothing when the server cannot be reached.
export function moment(number) {
  const known = kept.get(number);
  if (known) {
    // What was used last is forgotten last.
    kept.delete(number);
    kept.set(number, known);
    return known;
  }
  const asked = ask(number);
  kept.set(number, asked);
  if (kept.size > MOST) kept.delete(kept.keys().next().value);
  return asked;
}

async function ask(number) {
  try {
    const query = new URLSearchParams(location.search);
    // Whoever draws the board needs only what stands beside it.
    if (edition) query.set("board", "none");
    const { status, body } = await askMarkup(`${root}/${number}/parts${query.size ? `?${query}` : ""}`);
    if (status === 200) return body;
  } catch {
    // It is asked for again when it is wanted again.
  }
  kept.delete(number);
  return "";
}

export function forget() {
  kept.clear();
}

// Whoever has gone on meanwhile wants other moments next.
let looks = 0;
export async function lookAhead(steps) {
  looks += 1;
  const mine = looks;
  for (const key of AHEAD) if (mine === looks && steps[key]) await moment(steps[key]);
}
