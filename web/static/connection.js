// A network that fails: a bar where one acts says so, what was lost is asked for again, ever less
// often and at once when somebody wishes, and the bar goes away by itself.
import { word } from "./words.js";

const FIRST = 400;
const LONGEST = 15000;
const waits = new Map();
let bar = null;

function show() {
  bar ??= makeBar();
  bar.hidden = !waits.size;
  const [latest] = [...waits.values()].slice(-1);
  const words = bar.querySelector("span");
  if (latest && words.textContent !== latest.sentence) words.textContent = latest.sentence;
}

function makeBar() {
  const made = document.createElement("div");
  made.className = "connection";
  made.id = "connection";
  const words = document.createElement("span");
  words.setAttribute("role", "status");
  const again = document.createElement("button");
  again.type = "button";
  again.textContent = word("try-again");
  again.addEventListener("click", wakeAll);
  made.append(words, " ", again);
  document.getElementById("turn").before(made);
  return made;
}

function wakeAll() {
  for (const { wake } of waits.values()) wake();
}
addEventListener("online", wakeAll);
document.addEventListener("visibilitychange", () => !document.hidden && wakeAll());

// Nothing came, or nothing that the server stands by: asked again, it may answer.
export function isLost({ status }) {
  return status >= 500 || status === 429;
}

function pause(token, sentence, tries) {
  const length = Math.min(LONGEST, FIRST * 2 ** tries) * (0.8 + 0.4 * Math.random());
  return new Promise((wake) => {
    waits.set(token, { sentence, wake });
    show();
    setTimeout(wake, length);
  });
}

// The answer of `attempt`, which is made again until there is one or `isStale` says that nobody
// wants it any more; then there is none. `sentence` is what the bar says meanwhile.
export async function insist(attempt, { isStale = () => false, sentence = word("failed") } = {}) {
  const token = {};
  try {
    for (let tries = 0; !isStale(); tries += 1) {
      const answer = await attempt();
      if (!isLost(answer)) return answer;
      if (isStale()) break;
      await pause(token, sentence, tries);
    }
    return null;
  } finally {
    waits.delete(token);
    if (bar) show();
  }
}
