// A game that still runs: when it has gone on, so does the viewer.
import { follow } from "./news.js";
import { grow, now } from "./viewer.js";

const { game, every } = document.querySelector(".viewer").dataset;
const EVERY = Number(every) || 3000;

async function take({ version }) {
  if (version > now.last) await grow(version);
}

async function look() {
  try {
    const response = await fetch(`/api/games/${game}/news`, {
      headers: { "If-None-Match": `"${now.last}"` }, cache: "no-store",
    });
    if (response.status === 200) await take(await response.json());
  } catch {
    // The next look may succeed.
  }
}

follow(take, look, () => EVERY);
