// The table's page: news arrives by itself; a turn is chosen step by step, previewed, confirmed.
import { act } from "./acting.js";
import { ask, send } from "./asking.js";
import { myTurnHere } from "./waiting.js";
import { Chooser } from "./chooser.js";
import { insist } from "./connection.js";
import { follow } from "./news.js";
import { ruleLink } from "./rule_link.js";
import { isStill } from "./playback.js";
import { Walk } from "./walk.js";
import { say, word } from "./words.js";

const table = document.querySelector(".table");
const game = table.dataset.game;
const parts = document.getElementById("parts");
const turn = document.getElementById("turn");
const MOST_WATCHED = 10;
const EVERY = Number(table.dataset.every) || 3000;

// `drawn` is the moment that the board shows, which runs ahead while news are played.
const now = { version: 0, drawn: 0, owes: "", seat: 0, acted: 0 };

const chooser = new Chooser({
  turn,
  title: word("your-turn"),
  preview,
  confirm,
  done: () => refresh(true),
  direct: true,
  hint: () => ask(`/api/games/${game}/hint?seat=${now.seat}`),
  whyNot,
});

// What is previewed is wanted until something else is shown.
function preview(action) {
  const asked = chooser.shown;
  return insist(() => send(`/api/games/${game}/preview`, action), { isStale: () => asked !== chooser.shown })
    .then((answer) => answer ?? { status: 0, body: {} });
}

// While an action is on its way nothing else is offered; whoever goes back does not want it any more.
let sending = 0;
async function confirm(action) {
  const [asked, known] = [chooser.shown, now.version];
  sending += 1;
  const answer = await act(game, action, known, {
    moved: actedAfter(known),
    isWithdrawn: () => asked !== chooser.shown,
  });
  sending -= 1;
  const { code, sentence } = answer.body;
  if (code === "acted-already") say(sentence, true);
  // What came meanwhile was not offered.
  if (answer.status !== 201 && (now.version !== known || ["acted-already", "withdrawn"].includes(code))) refresh(true);
  return answer;
}

// Comes true when the page shows that the seat has acted after a version.
function actedAfter(version) {
  const { seat } = now;
  return new Promise((resolve) => {
    const look = () => {
      if (now.seat !== seat || now.acted <= version) return;
      document.removeEventListener("lacitta:refreshed", look);
      resolve();
    };
    document.addEventListener("lacitta:refreshed", look);
  });
}

function readState() {
  const state = document.getElementById("state").dataset;
  now.version = Number(state.version);
  now.drawn = now.version;
  now.seat = Number(state.seat);
  now.acted = Number(state.acted);
  now.owes = state.owes;
  myTurnHere(now.owes);
  // Nobody plans or orders anything in a game that is over.
  if (state.over) document.querySelectorAll("#panel-plans, #orders").forEach((panel) => (panel.hidden = true));
}

// What the seat can do comes with the page, and with each of its newer parts.
function broughtAlong(version, seat) {
  const body = JSON.parse(document.getElementById("offered")?.content.textContent || "null");
  return body?.version === version && body.seat === seat ? { status: 200, body } : null;
}

async function loadTurn(focus = false) {
  if (sending) {
    chooser.resume();
    return;
  }
  const { seat, version, acted } = now;
  if (!now.owes) {
    chooser.clear();
    if (focus) document.getElementById("board").focus({ preventScroll: true });
    return;
  }
  const isStale = () => now.version !== version || now.seat !== seat || sending > 0;
  const answer = broughtAlong(version, seat)
    ?? await insist(() => ask(`/api/games/${game}/actions?seat=${seat}`), { isStale });
  if (answer?.status === 200 && !isStale()) chooser.offer({ ...answer.body, version, acted: `${seat}/${acted}` }, focus);
}

// A card that cannot be taken says why: the rules are asked about its plainest use.
async function whyNot(card) {
  const { seat, castle } = document.getElementById("state").dataset;
  const plainest = {
    "master-builder": { type: "build", building: "farm", at: castle, card },
    "bread-and-games": { type: card, figures: 1, at: castle, service: "culture" },
    "golden-times": { type: card, citizens: 1, city: castle },
    "rich-harvest": { type: card, at: castle },
    polling: { type: "poll", look: [2, 3] },
  };
  const action = plainest[card] ?? { type: "build", building: card, at: castle, card };
  const { status, body } = await send(`/api/games/${game}/preview`, { ...action, seat: Number(seat) });
  if (status !== 200) say(body.sentence, true, ruleLink(body));
}

parts.addEventListener("click", (event) => {
  chooser.whyNotThere(event.target.closest("#board [data-hex]"));
});

let refreshes = 0;
let refreshing = null;
function refresh(focus = chooser.choosing) {
  walk.skip();
  walk.close();
  refreshing = load(focus);
  return refreshing;
}

// What is new: for a page that is watched what happened since, to be played, else the board itself.
function askForParts() {
  const query = new URLSearchParams(location.search);
  if (!isStill() && !away) query.set("after", now.drawn);
  return ask(`/table/${game}/parts?${query}`, { headers: { Accept: "text/html" } });
}

async function load(focus) {
  refreshes += 1;
  const mine = refreshes;
  // Of two answers that overtook each other the later question's is the newer one.
  const isStale = () => mine !== refreshes;
  const answer = await insist(askForParts, { isStale });
  if (answer?.status !== 200 || isStale()) return;
  const fresh = document.createElement("template");
  fresh.innerHTML = answer.body;
  const news = JSON.parse(fresh.content.getElementById("happened").content.textContent);
  if (!(await playNews(news, fresh.content, isStale))) return;
  const before = now.version;
  const label = document.activeElement?.dataset?.hex;
  const board = document.getElementById("board");
  const { scrollLeft, scrollTop } = board;
  // What was played on the board is the board of the parts that came.
  if (news) fresh.content.getElementById("board").replaceWith(board);
  parts.replaceChildren(fresh.content);
  document.getElementById("board").scrollTo(scrollLeft, scrollTop);
  readState();
  const newest = [...document.querySelectorAll(".story li")].filter((line) => line.value > before);
  if (newest.length) say(newest.reverse().map((line) => line.querySelector("a").textContent).join(" "));
  offerSince(before);
  document.dispatchEvent(new CustomEvent("lacitta:refreshed"));
  await loadTurn(focus);
  if (label) document.querySelector(`#board .lit[data-hex="${CSS.escape(label)}"]`)?.focus();
}

// Plays what came along on the board as it is. Says whether the parts that came are still wanted.
let playing = null;
async function playNews(news, fresh, isStale) {
  await playing?.catch(() => {});
  if (isStale()) return false;
  if (!news) return true;
  chooser.pause();
  const moments = news.moments.filter(({ number }) => number > now.drawn);
  playing = walk.playNews({ pool: news.pool, moments }, {
    own: Number(fresh.getElementById("news").dataset.since),
    drawn: (number) => (now.drawn = number),
  });
  try {
    await playing;
  } catch (error) {
    // A board that nothing fits on is asked for as a whole.
    reportError(error);
    now.drawn = 0;
    if (!isStale()) refresh();
    return false;
  }
  return !isStale();
}
document.addEventListener("lacitta:acted", () => refresh(true));

// Those who sit here hear the talk at the table, too, also when the game is over.
let heard = "";
async function poll() {
  const over = document.getElementById("state").dataset.over;
  if (over && !table.dataset.mine) return false;
  const answer = await insist(() => ask(`/api/games/${game}/news`, {
    headers: heard ? { "If-None-Match": heard } : {}, cache: "no-store",
  }), { isStale: () => document.hidden });
  if (answer?.status === 200 && (await take(answer.body))) heard = answer.etag;
  return true;
}

// Until nothing is on its way, played or walked through. Of several who wait one goes on.
async function rest() {
  let known;
  do {
    known = refreshing;
    await known;
    await walk.over;
  } while (known !== refreshing);
}

// Whether the page shows by now what is new. What did not come is asked for again.
async function take(news) {
  await rest();
  if (news.version > now.version) await refresh();
  document.dispatchEvent(new CustomEvent("lacitta:news", { detail: news }));
  const shown = now.version >= news.version;
  if (!shown) setTimeout(() => document.hidden || take(news), EVERY);
  return shown;
}

// Whatever happened can be walked through on the board.
const walk = new Walk({
  game,
  bar: document.getElementById("walk"),
  query: () => `seat=${now.seat}`,
  last: () => now.version,
  begin: () => chooser.pause(),
  end: () => loadTurn(true),
});

// Who opens a game or comes back to it is offered what happened since the last turn, and so is who
// was told of more than can be watched.
const since = document.getElementById("since");
let away = document.hidden;
document.addEventListener("visibilitychange", () => (away ||= document.hidden));
function offerSince(known = -Infinity) {
  const { content, dataset } = document.getElementById("news");
  const words = content.textContent.trim();
  since.dataset.since = dataset.since;
  since.querySelector("p").textContent = words;
  if (away || now.version > known + MOST_WATCHED) since.hidden = false;
  if (!words) since.hidden = true;
  away = false;
}
since.addEventListener("click", ({ target }) => {
  if (target.tagName === "BUTTON") since.hidden = true;
  if ("walk" in target.dataset) walk.playFrom(Number(since.dataset.since) + 1);
});
parts.addEventListener("click", (event) => {
  const moment = event.target.closest("[data-moment]");
  if (moment) {
    event.preventDefault();
    walk.show(Number(moment.dataset.moment));
  }
});
document.addEventListener("lacitta:goto", (event) => {
  event.preventDefault();
  walk.show(event.detail.number);
});
// A panel that chose on the board has done so.
document.addEventListener("lacitta:board", () => loadTurn());
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") chooser.back();
});
// Another part of the page proposes an action: it is previewed and confirmed like any other.
document.addEventListener("lacitta:propose", ({ detail }) => {
  walk.close();
  chooser.propose(detail);
});

readState();
offerSince();
loadTurn();
follow(take, poll, () => (document.getElementById("state").dataset.over ? 5 * EVERY : EVERY));
