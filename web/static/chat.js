// The table's chat: what others say appears by itself, what is new is counted, @ finds names.
import { ask, send } from "./asking.js";
import { insist } from "./connection.js";
import { Completion } from "./mentions.js";
import { say } from "./words.js";

const panel = document.getElementById("panel-chat");
const { game } = panel.dataset;
const log = panel.querySelector(".chat-log");
const form = panel.querySelector("form");
const field = form.elements.text;
const badge = document.querySelector("#tab-chat [data-unread]");
const earlier = panel.querySelector("[data-earlier]");
const list = () => log.querySelector(".chat-lines");
// The page's language, as it is spoken where the reader is.
const page = document.documentElement.lang;
const language = navigator.languages.find((each) => each.split("-")[0] === page) ?? page;
const base = `/api/games/${game}/chat`;

let version = Number(list().dataset.version);
let unread = Number(list().dataset.unread);
let inSight = false;

new Completion(field, document.getElementById("chat-names"));

// Times are by the reader's clock: today's by the hour, others with their day.
function tellTimes(lines) {
  const today = new Date().toDateString();
  for (const time of lines.querySelectorAll("time:not([data-told])")) {
    const then = new Date(time.dateTime);
    const day = then.toDateString() === today ? {} : { day: "numeric", month: "short" };
    time.textContent = then.toLocaleString(language, { ...day, hour: "2-digit", minute: "2-digit" });
    time.title = then.toLocaleString(language, { dateStyle: "full", timeStyle: "short" });
    time.dataset.told = "yes";
  }
}

function showUnread() {
  badge.hidden = !unread;
  badge.textContent = panel.dataset.new.replace("{number}", unread);
  badge.classList.toggle("mentions", Boolean(log.querySelector(".unread .mention.mine")));
  badge.dataset.number = unread;
}

function showEarlier(number) {
  earlier.hidden = !Number(number);
  earlier.dataset.earlier = number;
}

function toTheEnd() {
  log.scrollTop = log.scrollHeight;
}

// Only what is new or changed is put in, so that a screen reader tells that alone.
function take(html) {
  const fresh = new DOMParser().parseFromString(html, "text/html").querySelector(".chat-lines");
  tellTimes(fresh);
  const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
  const came = [];
  for (const line of fresh.querySelectorAll(".chat-line")) {
    const known = document.getElementById(line.id);
    if (!known) {
      list().append(line);
      came.push(line);
    } else if (known.dataset.state !== line.dataset.state) {
      known.replaceWith(line);
    }
  }
  version = Number(fresh.dataset.version);
  unread = Number(fresh.dataset.unread);
  panel.querySelector("[data-nothing]").hidden = Boolean(list().children.length);
  if (atEnd) toTheEnd();
  showUnread();
  return came;
}

async function load() {
  const { status, body } = await insist(() => ask(`/table/${game}/chat`, { headers: { Accept: "text/html" } }));
  if (status !== 200) return;
  const others = take(body).filter((line) => !line.classList.contains("yours"));
  if (others.length && !looking()) announce(others.at(-1));
  markRead();
}

function announce(line) {
  const mentioned = Boolean(line.querySelector(".mention.mine"));
  const name = line.querySelector(".said-by").textContent;
  const text = line.querySelector(".said-words").textContent;
  say(panel.dataset.heard.replace("{name}", () => name).replace("{text}", () => text), mentioned && "friendly");
}

function looking() {
  return panel.open && inSight && !document.hidden;
}

let marked = 0;
async function markRead() {
  if (!looking() || !unread || marked === version) return;
  marked = version;
  const { status } = await send(`${base}/read`, { version });
  if (status === 200) {
    unread = 0;
    showUnread();
  } else {
    marked = 0;
  }
}

function complain(text) {
  const said = form.querySelector(".error");
  said.textContent = text;
  said.hidden = !text;
}

// A line has an id from here on: it is said once, however often it has to be sent.
let sending = false;
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const text = field.value.trim();
  if (!text || sending) return;
  sending = true;
  const said = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const seat = Number(document.getElementById("state").dataset.seat);
  const { status, body } = await insist(() => send(base, { text, seat, said }));
  complain(status < 400 ? "" : body.sentence);
  if (status < 400) {
    field.value = "";
    await load();
    toTheEnd();
  }
  sending = false;
  field.focus();
});

log.addEventListener("click", async (event) => {
  const moment = event.target.closest("[data-said-at]");
  if (moment && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    document.dispatchEvent(new CustomEvent("lacitta:goto", { detail: { number: Number(moment.dataset.saidAt) } }));
  }
  const unsaid = event.target.closest("[data-unsay]");
  if (unsaid) {
    unsaid.disabled = true;
    const { status, body } = await insist(() => send(`${base}/${unsaid.dataset.unsay}`, undefined, "DELETE"));
    if (status >= 400) complain(body.sentence);
    await load();
    field.focus();
  }
});

earlier.addEventListener("click", async () => {
  const { status, body } = await ask(`/table/${game}/chat?before=${earlier.dataset.earlier}`, { headers: { Accept: "text/html" } });
  complain(status === 200 ? "" : body.sentence);
  if (status !== 200) return;
  const older = new DOMParser().parseFromString(body, "text/html").querySelector(".chat-lines");
  tellTimes(older);
  showEarlier(older.dataset.earlier);
  list().prepend(...older.children);
  log.scrollTop = 0;
  log.focus();
});

document.addEventListener("lacitta:news", (event) => {
  if (event.detail.chat > version) load();
});
document.addEventListener("visibilitychange", markRead);
panel.addEventListener("toggle", () => {
  if (panel.open) toTheEnd();
  markRead();
});
new IntersectionObserver(([seen]) => {
  inSight = seen.isIntersecting;
  markRead();
}).observe(panel);
document.addEventListener("lacitta:shown", ({ detail }) => {
  if (detail.panel === "chat" && detail.asked) toTheEnd();
});

tellTimes(log);
showEarlier(list().dataset.earlier);
showUnread();
toTheEnd();
