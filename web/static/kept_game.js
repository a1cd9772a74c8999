// A finished game is kept whole where the site can run without a network, so that it can be stepped
// through there; and a page that stands for another moment of its game goes to the one that was meant.
import { addressOf, drawsItself } from "./stepping.js";
import { now, show } from "./viewer.js";

const viewer = document.querySelector(".viewer");
const { atOnce, over, line, root } = viewer.dataset;
const PAUSE = 3000; // what the page itself needs comes first
const worker = navigator.serviceWorker;

// Says on the page when everything is there, which the service worker puts away by and by.
async function keep(rounds = 3) {
  let missing = 0;
  for (let first = 1; first <= now.last; first += Number(atOnce)) {
    const address = addressOf(first);
    if (await caches.match(address, { ignoreVary: true })) continue;
    missing += 1;
    const answer = await fetch(address, { headers: { Accept: "application/json" } });
    await answer.arrayBuffer();
    if (!answer.ok) return;
  }
  if (!missing) viewer.dataset.kept = "";
  else if (rounds) setTimeout(() => keep(rounds - 1).catch(() => {}), 300);
}

const meant = Number(location.pathname.match(/\/(\d+)$/)?.[1]);
if (document.documentElement.dataset.asOf && meant && location.pathname.startsWith(`${root}/`)) show(meant, "none");
else if (over && !line && drawsItself && worker && "caches" in window && !navigator.connection?.saveData) {
  worker.ready.then(() => setTimeout(() => worker.controller && keep().catch(() => {}), PAUSE));
}
