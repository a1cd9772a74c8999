// Messages on this device: turned on by a click on the account page, and by nothing else.
import { send } from "./asking.js";
import { remembered, subscriptionKey } from "./subscription.js";

const part = document.getElementById("push");
const note = part.querySelector("[data-push-note]");
const label = part.querySelector("[data-push-switch]");
const input = label.querySelector("input");
const able = window.isSecureContext && "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

function say(reason) {
  note.textContent = note.dataset[reason] ?? reason;
  note.hidden = !note.textContent;
}

async function subscription() {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

// On is what both sides know of: the browser has an address, and the server has it.
async function show() {
  const found = await subscription();
  const key = found && (await subscriptionKey(found.endpoint));
  const line = key && part.querySelector(`[data-device="${key}"]`);
  if (line) line.querySelector("[data-here]").hidden = false;
  input.checked = Boolean(line);
  if (Notification.permission === "denied" && !line) say("denied");
  else say("");
}

// Gives the reason, where it could not be done.
async function turnOn() {
  if ((await Notification.requestPermission()) !== "granted") return "denied";
  const registration = await navigator.serviceWorker.register("/service-worker.js");
  await navigator.serviceWorker.ready;
  // One of another server key, or of somebody else, is of no use.
  await (await registration.pushManager.getSubscription())?.unsubscribe();
  const made = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: part.dataset.key });
  const { endpoint, keys } = made.toJSON();
  const { status, body } = await send("/api/me/devices", { endpoint, keys });
  if (status !== 201) {
    await made.unsubscribe();
    return body.sentence ?? "failed";
  }
  remembered(endpoint);
  return reload();
}

async function turnOff() {
  const found = await subscription();
  if (found) {
    await send(`/api/me/devices/${await subscriptionKey(found.endpoint)}`, undefined, "DELETE");
    await found.unsubscribe();
  }
  remembered("");
  return reload();
}

function reload() {
  location.hash = "devices";
  location.reload();
}

async function change() {
  input.disabled = true;
  say("");
  const reason = await (input.checked ? turnOn() : turnOff()).catch(() => "failed");
  if (reason) {
    await show().catch(() => {});
    say(reason);
  }
  input.disabled = false;
}

if (able) {
  label.hidden = false;
  input.addEventListener("change", change);
  document.addEventListener("lacitta:tested", () => show().catch(() => {}));
  show().catch(() => say("failed"));
} else {
  say(/iPhone|iPad/.test(navigator.userAgent) ? "home" : "unable");
}
