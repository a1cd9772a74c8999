// News for an open page: pushed by the server over one connection while the page is in sight, asked
// for now and then where that fails. Who follows is called with what is new, whichever way it came.
const RETRY = 30000;
const SILENT = 50000; // the server gives a sign of life more often than that

const FIRST = 2000; // for the connection to be there before anybody asks

const followers = new Set();
const asleep = new Set(); // who asks again when the page is seen again
const game = document.querySelector("[data-game][data-every]")?.dataset.game;
let source = null;
let live = false;
let heard = 0;
let latest = null;
let retry = 0;

function open() {
  if (source || document.hidden || !followers.size || !("EventSource" in window) || Date.now() < retry) return;
  source = new EventSource(game ? `/api/games/${encodeURIComponent(game)}/stream` : "/api/me/stream");
  heard = Date.now();
  source.addEventListener("open", () => {
    live = true;
    heard = Date.now();
  });
  source.addEventListener("beat", () => (heard = Date.now()));
  source.addEventListener("news", ({ data }) => {
    heard = Date.now();
    latest = { version: 0, chat: 0, waiting: 0, ...JSON.parse(data) };
    for (const follower of followers) follower(latest);
  });
  source.addEventListener("error", () => {
    live = false;
    // A browser connects again by itself unless it was refused.
    if (source?.readyState === EventSource.CLOSED) close(RETRY);
  });
}

function close(pause = 0) {
  source?.close();
  source = null;
  live = false;
  retry = pause && Date.now() + pause;
}

// Whether news comes by itself now, so that nobody has to ask.
function isLive() {
  if (source && Date.now() - heard > SILENT) close();
  open();
  return live;
}

// Call `take` with all that is pushed, and `ask` as often as `every` milliseconds while nothing is.
// `ask` says with false that there will be nothing more to ask for. A page that nobody sees asks nothing.
export function follow(take, ask, every) {
  followers.add(take);
  open();
  if (latest) take(latest);
  const look = async () => {
    if (document.hidden) asleep.add(look);
    else if (isLive() || (await ask()) !== false) setTimeout(look, every());
  };
  setTimeout(look, Math.min(every(), FIRST));
}

function wake() {
  open();
  // Over the line it is told at once how things stand; without one it asks at once.
  for (const look of asleep) source ? setTimeout(look, FIRST) : look();
  asleep.clear();
}

document.addEventListener("visibilitychange", () => (document.hidden ? close() : wake()));
addEventListener("pagehide", () => close());
addEventListener("pageshow", () => open());
