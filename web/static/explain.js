// Why this move? Where a bot decided, the page has <… class="explain" data-explain="12">; the button
// that is put there asks for the bot's reason and shows it beside itself.
import { ask } from "./asking.js";
import { say, word } from "./words.js";

const PATIENCE = 700;
const told = new Map();
const open = new Set();

function gameShown() {
  return document.querySelector("[data-game]").dataset.game;
}

function fill(place) {
  const number = place.dataset.explain;
  const shown = open.has(number) ? told.get(number) : "";
  let [button, words] = place.children;
  if (!button) {
    button = document.createElement("button");
    button.type = "button";
    button.className = "plain";
    button.textContent = word("why-move");
    words = document.createElement("span");
    // What the page itself says is not heard while a dialog is open.
    if (place.closest("dialog")) words.setAttribute("aria-live", "polite");
    place.append(button, words);
  }
  if (button.getAttribute("aria-expanded") === String(Boolean(shown))) return;
  button.setAttribute("aria-expanded", String(Boolean(shown)));
  words.textContent = shown ? ` ${shown}` : "";
}

// The same move may stand in the story and in the moment that is open.
function fillAll() {
  for (const place of document.querySelectorAll("[data-explain]")) fill(place);
}

async function fetched(number) {
  try {
    const { status, body } = await ask(`/api/games/${gameShown()}/explanations/${number}`);
    return { told: status === 200, sentence: body.sentence || word("failed") };
  } catch {
    return { told: false, sentence: word("failed") };
  }
}

async function learn(number, button) {
  const slow = setTimeout(() => {
    button.textContent = word("thinking");
    say(word("thinking"));
  }, PATIENCE);
  const answer = await fetched(number);
  clearTimeout(slow);
  button.textContent = word("why-move");
  if (answer.told) told.set(number, answer.sentence);
  say(answer.sentence, !answer.told);
  return answer.told;
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-explain] button");
  if (!button || button.getAttribute("aria-busy")) return;
  const number = button.parentElement.dataset.explain;
  if (open.delete(number)) {
    fillAll();
    return;
  }
  button.setAttribute("aria-busy", "true");
  if (told.has(number) || (await learn(number, button))) open.add(number);
  button.removeAttribute("aria-busy");
  fillAll();
});

fillAll();
new MutationObserver(fillAll).observe(document.body, { childList: true, subtree: true });
