// A game that still runs: when it has gone on, so does the viewer.
import { grow, now } from "./viewer.js";

const { game, every } = document.querySelector(".viewer").dataset;
const EVERY = Number(every) || 3000;

async function look() {
  if (!document.hidden) {
    try {
      const response = await fetch(`/api/games/${game}/news`, {
        headers: { "If-None-Match": `"${now.last}"` }, cache: "no-store",
      });
      const version = response.status === 200 ? (await response.json()).version : 0;
      if (version > now.last) await grow(version);
    } catch {
      // The next look may succeed.
    }
  }
  setTimeout(look, EVERY);
}

setTimeout(look, EVERY);
