// Asking the server: JSON where it speaks it, with the page's own token on everything that writes.
// What takes long is computed elsewhere: the server says 202 and the place in the queue, and the same
// is asked for again, until it is there or somebody has had enough. Nothing is waited for without end.
import { tellBroken } from "./broken.js";

const csrf = document.querySelector("meta[name=csrf-token]").content;
const JSON_OR_NOT_YET = "text/html, application/json";
let pressed = null;

// Where somebody acted last: the place in the queue is shown there.
for (const kind of ["click", "keydown"]) {
  document.addEventListener(kind, ({ target }) => (pressed = target.closest?.("button, a, input, select") ?? pressed), true);
}

class Notice {
  constructor() {
    this.cancelled = false;
  }

  show(sentence) {
    if (!this.element) {
      this.element = document.createElement("p");
      this.element.className = "computing";
      this.words = document.createElement("span");
      this.words.setAttribute("role", "status");
      const cancel = document.createElement("button");
      cancel.type = "button";
      cancel.className = "plain";
      cancel.textContent = document.body.dataset.cancel;
      cancel.addEventListener("click", () => {
        this.cancelled = true;
        this.wake?.();
      });
      this.element.append(this.words, " ", cancel);
      if (pressed?.isConnected) pressed.after(this.element);
      else document.getElementById("content").prepend(this.element);
    }
    this.words.textContent = sentence;
  }

  pause(seconds) {
    return new Promise((resolve) => {
      this.wake = resolve;
      setTimeout(resolve, 1000 * seconds);
    });
  }

  remove() {
    this.element?.remove();
  }
}

const PATIENCE = Number(document.body.dataset.patience) || 15000;
const LOST = { status: 503, body: { code: "unreachable", sentence: document.body.dataset.lost } };
const CANCELLED = { status: 0, body: { code: "cancelled", sentence: document.body.dataset.cancelled } };

// One request, whatever becomes of it: what came in time, or that nothing did.
async function once(path, options, read) {
  const tooLate = new AbortController();
  const timer = setTimeout(() => tooLate.abort(), PATIENCE);
  try {
    const response = await fetch(path, { ...options, signal: tooLate.signal });
    const body = await (response.status === 202 ? response.json() : read(response));
    return { status: response.status, body, etag: response.headers.get("ETag") ?? "" };
  } catch {
    return LOST;
  } finally {
    clearTimeout(timer);
  }
}

// The answer once it is there, or that it was cancelled.
async function patient(path, options, read) {
  const notice = new Notice();
  try {
    for (;;) {
      const answer = await once(path, options, read);
      if (answer.status === 500) tellBroken(answer.body?.link);
      if (answer.status !== 202) return answer;
      notice.show(answer.body.sentence);
      await notice.pause(answer.body.retry);
      if (notice.cancelled) return CANCELLED;
    }
  } finally {
    notice.remove();
  }
}

function readAny(response) {
  const isJson = (response.headers.get("Content-Type") || "").includes("json");
  return isJson ? response.json() : response.text();
}

// What the server answers. It is never thrown: a request that was lost is answered like one that the
// server is too busy for, with a sentence.
export function ask(path, options = {}) {
  return patient(path, {
    ...options,
    headers: { "X-CSRFToken": csrf, Accept: "application/json", ...options.headers },
  }, readAny);
}

export function askMarkup(path) {
  return ask(path, { headers: { Accept: JSON_OR_NOT_YET } });
}

// Whether what an address leads to is made by now; what is in it is not taken.
export async function made(path) {
  const { status } = await patient(path, { headers: { Accept: JSON_OR_NOT_YET } }, (response) => response.body?.cancel());
  return status > 0 && status < 500;
}

export function send(path, body, method = "POST") {
  return ask(path, {
    method,
    headers: { "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
}
