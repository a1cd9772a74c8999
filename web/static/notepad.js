// One's own notepad: it saves itself, says so, and never writes over what another window wrote.
import { ask, send } from "./asking.js";

const panel = document.getElementById("panel-notepad");
const path = `/api/games/${panel.dataset.game}/notepad`;
const field = document.getElementById("notepad-text");
const shown = panel.querySelector(".notepad-state");
const conflict = panel.querySelector(".notepad-conflict");
const PAUSE = 700;
const AGAIN = 5000;

let version = Number(panel.dataset.version);
let saved = field.value;
let timer = 0;
let busy = false;

function tell(key, wrong = false) {
  shown.textContent = panel.dataset[key] ?? key;
  shown.classList.toggle("wrong", wrong);
}

// Signs that no keyboard writes may come in by pasting.
function written() {
  return field.value.replace(/[\x00-\x08\x0b-\x1f\x7f]/g, "");
}

function later(pause) {
  clearTimeout(timer);
  timer = setTimeout(save, pause);
}

async function save() {
  clearTimeout(timer);
  const text = written();
  if (!conflict.hidden) return;
  if (text === saved) {
    if (shown.textContent) tell("saved");
    return;
  }
  if (busy) {
    later(PAUSE);
    return;
  }
  busy = true;
  tell("saving");
  const { status, body } = await send(path, { text, version });
  busy = false;
  if (status === 200) {
    ({ version } = body);
    saved = text;
    panel.querySelector("[data-filled]").hidden = !text;
    if (written() === saved) tell("saved");
    else later(PAUSE);
  } else if (status === 409) {
    await meet();
  } else {
    tell(body?.sentence ?? "failed", true);
    later(AGAIN);
  }
}

// Two windows wrote: both texts are shown, and the writer decides.
async function meet() {
  const { status, body } = await ask(path);
  if (status !== 200) {
    tell("failed", true);
    later(AGAIN);
    return;
  }
  // An answer may have been lost: then it is this window's own words that stand there.
  if (body.text === written()) {
    ({ version, text: saved } = body);
    tell("saved");
    return;
  }
  tell("conflict", true);
  conflict.querySelector("[data-theirs]").textContent = body.text;
  conflict.hidden = false;
  panel.open = true;
  settle = (keep) => {
    conflict.hidden = true;
    version = body.version;
    saved = body.text;
    if (!keep) field.value = body.text;
    field.focus();
    if (keep) save();
    else tell("saved");
  };
}
let settle = () => {};

// A window that comes back to the front without words of its own shows the latest.
async function look() {
  if (document.hidden || written() !== saved || busy) return;
  const { status, body } = await ask(path);
  if (status !== 200 || written() !== saved || body.version <= version) return;
  const { selectionStart, selectionEnd } = field;
  ({ version } = body);
  saved = body.text;
  field.value = saved;
  field.setSelectionRange(selectionStart, selectionEnd);
}

field.addEventListener("input", () => {
  if (!conflict.hidden) return;
  tell("unsaved");
  later(PAUSE);
});
field.addEventListener("blur", save);
conflict.addEventListener("click", (event) => {
  if ("keep" in event.target.dataset) settle(true);
  if ("take" in event.target.dataset) settle(false);
});
document.addEventListener("visibilitychange", () => (document.hidden ? save() : look()));

// A page that goes sends its last words along. The next one may be made before they arrive, so
// that this window keeps them for it as well.
const DRAFT = `notepad-${panel.dataset.game}`;
addEventListener("pagehide", () => {
  const text = written();
  if (text === saved || !conflict.hidden) return;
  try {
    sessionStorage.setItem(DRAFT, text);
  } catch {
    // What is sent may be enough.
  }
  const token = document.querySelector("meta[name=csrf-token]").content;
  fetch(path, {
    method: "POST", keepalive: true, body: JSON.stringify({ text, version: version + (busy ? 1 : 0) }),
    headers: { "Content-Type": "application/json", "X-CSRFToken": token },
  });
});

function takeUp() {
  let draft = null;
  try {
    draft = sessionStorage.getItem(DRAFT);
    sessionStorage.removeItem(DRAFT);
  } catch {
    return;
  }
  if (draft === null || draft === saved) return;
  field.value = draft;
  save();
}
takeUp();
