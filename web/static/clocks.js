// Clocks count down by themselves; the server is asked when something happened or is about to.
import { ask, send } from "./asking.js";
import { insist } from "./connection.js";
import { say } from "./words.js";

const table = document.querySelector(".table");
const game = table.dataset.game;
const mine = table.dataset.mine.split(",").filter(Boolean).map(Number);
const parts = document.getElementById("parts");
const inside = document.getElementById("absence-inside");
const words = JSON.parse(document.getElementById("clock-words").content.textContent);
const language = document.documentElement.lang;
const EVERY = (Number(table.dataset.every) || 3000) * 5;
const SECOND = 1000;
const UNITS = [["day", 86_400_000], ["hour", 3_600_000], ["minute", 60_000]];
const SIGNS = { running: "▶", standing: "❚❚", asleep: "☾", away: "⚑" };
const HOUR = 3_600_000;

let known = null;
let ahead = 0;
let timer = 0;
let shown = "";
const before = new Map();

// As `web/words/durations.py` does it: the largest unit that fits, and the next smaller one.
export function lasting(milliseconds) {
  let rest = Math.max(0, milliseconds);
  const found = [];
  if (rest < 60_000) found.push(["second", Math.floor(rest / SECOND)]);
  for (const [unit, size] of found.length ? [] : UNITS) {
    const number = Math.floor(rest / size);
    rest -= number * size;
    if (number && found.length < 2) found.push([unit, number]);
    else if (found.length) break;
  }
  const texts = found.map(([unit, number]) =>
    new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(number));
  return new Intl.ListFormat(language, { type: "unit" }).format(texts);
}

const serverTime = () => Date.now() + ahead;

function leftOf(clock) {
  if (clock.ticking !== "running") return clock.left;
  return Math.max(0, clock.left - Math.max(0, serverTime() - known.now));
}

function show() {
  for (const span of document.querySelectorAll("[data-clock]")) {
    const clock = known?.clocks[Number(span.dataset.clock) - 1];
    if (!clock || !(clock.ticking in SIGNS)) continue;
    const left = leftOf(clock);
    const low = left * 4 < known.pace.bank * 60_000;
    const text = left ? lasting(left) : words["out-short"];
    const how = ["asleep", "away"].includes(clock.ticking) ? ` · ${words[clock.ticking]}` : "";
    span.className = `clock ${clock.ticking}${low ? " low" : ""}`;
    put(span.querySelector(".sign"), SIGNS[clock.ticking]);
    put(span.querySelector(".heard"), `${words[clock.ticking]}: `);
    put(span.querySelector(".left"), text);
    put(span.querySelector(".how"), how);
  }
  for (const seat of mine) warn(seat);
}

function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// Only one's own clock speaks, and only when it passes a mark.
function warn(seat) {
  const clock = known?.clocks[seat - 1];
  if (clock?.ticking !== "running") return;
  const left = leftOf(clock);
  const last = before.get(seat) ?? left;
  before.set(seat, left);
  const passed = (mark) => last > mark && left <= mark;
  if (passed(0)) say(words.out, true);
  else if (passed(HOUR)) say(words.hour, true);
  else if (passed(known.pace.bank * 15_000)) say(words.low.replace("{time}", lasting(left)), true);
}

async function load() {
  clearTimeout(timer);
  if (!document.hidden) {
    try {
      const { status, body } = await ask(`/api/games/${game}/clocks`, { cache: "no-store" });
      if (status === 200) {
        known = body;
        ahead = body.now - Date.now();
        show();
        await showPanel();
      }
    } catch {
      // The next look may succeed.
    }
  }
  if (!document.getElementById("state").dataset.over) timer = setTimeout(load, nextLook());
}

function nextLook() {
  const changes = (known?.clocks ?? []).map((clock) => clock.until - serverTime()).filter((wait) => wait > 0);
  return Math.max(SECOND, Math.min(EVERY, ...changes) + 50);
}

// The panel is drawn by the server; it changes with the log and with the votes.
async function showPanel() {
  const state = `${known.version} ${JSON.stringify(known.votes.map((each) => ({ ...each, awaited: 0 })))}`;
  if (!inside || state === shown) return;
  const first = !shown;
  // The page has come with it.
  if (first && known.version === Number(document.getElementById("state").dataset.version)) {
    shown = state;
    return;
  }
  const { status, body } = await ask(`/table/${game}/absence`, { headers: { Accept: "text/html" } });
  if (status !== 200) return;
  shown = state;
  const at = document.activeElement?.closest?.("#absence-inside button")?.dataset;
  inside.innerHTML = body;
  if (at?.vote) inside.querySelector(`[data-vote="${at.vote}"][data-about="${at.about}"]`)?.focus();
  else if (at) inside.querySelector("button[data-back], button[data-go]")?.focus();
  if (known.votes.length && !first) {
    document.dispatchEvent(new CustomEvent("lacitta:show", { detail: { panel: "away", asked: false } }));
  }
  document.getElementById("vote-call").hidden = !known.votes.some((each) => each.may_vote);
  for (const line of document.querySelectorAll("[data-away]")) {
    line.hidden = !inside.querySelector(`[data-back="${line.dataset.away}"]`);
  }
  const banner = document.getElementById("away");
  if (banner) banner.hidden = !banner.querySelector("[data-away]:not([hidden])");
}

async function tell(answer) {
  if (answer.status >= 400) say(answer.body.sentence, true);
  await load();
}

// A vote counts once and a seat is handed over once, however often they are sent.
async function insistOn(path, body) {
  let tries = 0;
  const answer = await insist(() => {
    tries += 1;
    return send(`/api/games/${game}/${path}`, body);
  });
  await tell(tries > 1 ? { status: 200 } : answer);
}

document.addEventListener("click", (event) => {
  const data = event.target.closest?.("button")?.dataset;
  if (!data) return;
  if (data.vote) insistOn("votes", { seat: Number(data.about), what: data.vote });
  if (data.back) insistOn("actions", { type: "hand-over", seat: Number(data.back), bot: "" });
  if (data.go) insistOn("actions", { type: "hand-over", seat: Number(data.go), bot: data.bot });
});
new MutationObserver(load).observe(parts, { childList: true });
document.addEventListener("visibilitychange", () => !document.hidden && load());
setInterval(show, SECOND);
load();
