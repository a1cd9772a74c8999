// The page as a part of an installed app: kept for when the network is gone, and honest about its age.
import { send } from "./asking.js";
import { changedSubscription, remembered } from "./subscription.js";

const root = document.documentElement;
const words = document.querySelector("meta[name=offline]");
const table = document.querySelector("[data-game][data-every]")?.dataset.game;

function showAge() {
  const time = new Date(Number(root.dataset.asOf));
  const today = time.toDateString() === new Date().toDateString();
  const form = today ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" };
  const note = document.createElement("p");
  note.className = "offline-note";
  note.setAttribute("role", "status");
  note.append(words.content.replace("{time}", new Intl.DateTimeFormat(root.lang, form).format(time)), " ");
  const again = document.createElement("a");
  again.href = location.href;
  again.textContent = words.dataset.again;
  note.append(again);
  document.getElementById("content").prepend(note);
}

// A message about this game is read once its page is.
async function closeMessages(registration) {
  if (!table || !registration.getNotifications) return;
  for (const message of await registration.getNotifications({ tag: table })) message.close();
}

// A browser may change its address for messages by itself.
async function tellAddress(registration) {
  const changed = await changedSubscription(registration);
  if (!changed) return;
  const { status } = await send("/api/me/devices", { endpoint: changed.endpoint, keys: changed.keys });
  if (status < 500) remembered(status === 201 ? changed.endpoint : "");
}

async function install() {
  const first = !navigator.serviceWorker.controller;
  await navigator.serviceWorker.register("/service-worker.js");
  const registration = await navigator.serviceWorker.ready;
  await closeMessages(registration);
  await tellAddress(registration);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) closeMessages(registration);
    else if (table && !root.dataset.asOf) registration.active.postMessage({ page: location.pathname });
  });
  // The page that came before there was anybody to keep it.
  if (first) {
    const files = performance.getEntriesByType("resource").map((entry) => entry.name);
    registration.active.postMessage({ page: location.pathname + location.search, files });
  }
}

if (root.dataset.asOf && words) showAge();
if ("serviceWorker" in navigator && window.isSecureContext) {
  addEventListener("load", () => install().catch(() => {}), { once: true });
}
