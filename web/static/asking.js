// Asking the server: JSON where it speaks it, with the page's own token on everything that writes.
// What takes long is computed elsewhere: the server says 202 and the place in the queue, and the same
// is asked for again, until it is there or somebody has had enough.
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

// The answer once it is there; nothing when it was cancelled.
async function patient(path, options) {
  const notice = new Notice();
  try {
    for (;;) {
      const response = await fetch(path, options);
      if (response.status !== 202) return response;
      const { sentence, retry } = await response.json();
      notice.show(sentence);
      await notice.pause(retry);
      if (notice.cancelled) return null;
    }
  } finally {
    notice.remove();
  }
}

export async function ask(path, options = {}) {
  const response = await patient(path, {
    ...options,
    headers: { "X-CSRFToken": csrf, Accept: "application/json", ...options.headers },
  });
  if (!response) return { status: 0, body: { code: "cancelled", sentence: document.body.dataset.cancelled } };
  const isJson = (response.headers.get("Content-Type") || "").includes("json");
  return { status: response.status, body: isJson ? await response.json() : await response.text() };
}

export function askMarkup(path) {
  return ask(path, { headers: { Accept: JSON_OR_NOT_YET } });
}

// Whether what an address leads to is made by now; what is in it is not taken.
export async function made(path) {
  const response = await patient(path, { headers: { Accept: JSON_OR_NOT_YET } });
  response?.body?.cancel();
  return Boolean(response);
}

export function send(path, body, method = "POST") {
  return ask(path, {
    method,
    headers: { "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
}
