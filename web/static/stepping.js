// The moments of a game as data, a part at a time, asked for once and ahead of the reader. What they
// mean is said in web/viewer/moments.py; a page without data-edition has none.
import { ask } from "./asking.js";
import { unrolled } from "./picture.js";

const { atOnce, edition, root } = document.querySelector(".viewer").dataset;
const LENGTH = Number(atOnce);
const MOST = 30;
const AROUND = [[1, -1], [2, 3]];
const kept = new Map();

export const drawsItself = Boolean(edition);

function firstOf(number) {
  return number - ((number - 1) % LENGTH);
}

function layerCount() {
  return document.querySelectorAll("#board > svg > :is(title, defs, g:not(.compass))").length;
}

// Where the moments from one on are asked for.
export function addressOf(first) {
  const query = new URLSearchParams(location.search);
  query.set("edition", edition);
  return `${root}/${first}/moments?${query}`;
}

async function load(first) {
  const { status, body } = await ask(addressOf(first));
  if (status !== 200) return null;
  const moments = unrolled(body.moments, body.pool, layerCount());
  return new Map(moments.map((moment) => [moment.number, { ...moment, heading: body.pool[moment.heading] }]));
}

function partFrom(first) {
  let part = kept.get(first);
  if (!part) {
    part = { found: null };
    kept.set(first, part);
    part.loading = load(first).then((found) => {
      part.found = found;
      // What was lost is asked for again when it is wanted again.
      if (!found && kept.get(first) === part) kept.delete(first);
      return found;
    });
    if (kept.size > MOST) kept.delete(kept.keys().next().value);
  } else {
    // What was used last is forgotten last.
    kept.delete(first);
    kept.set(first, part);
  }
  return part;
}

// A moment that is there already, or nothing.
export function known(number) {
  return drawsItself ? partFrom(firstOf(number)).found?.get(number) : undefined;
}

export async function fetchMoment(number) {
  const part = partFrom(firstOf(number));
  return (await part.loading)?.get(number);
}

export function forgetMoments() {
  kept.clear();
}

// The nearest first; whoever has gone on meanwhile wants others next.
let looks = 0;
export async function loadAround(number, last) {
  looks += 1;
  const mine = looks;
  await fetchMoment(number);
  for (const parts of AROUND) {
    if (mine !== looks) return;
    const firsts = parts.map((by) => firstOf(number) + by * LENGTH).filter((first) => first >= 1 && first <= last);
    await Promise.all(firsts.map((first) => partFrom(first).loading));
  }
}
