// The end of a year and of the game, each told on a card: by itself when it comes, unless somebody does
// not want that, and again from the story.
import { ask } from "./asking.js";
import { insist } from "./connection.js";
import { offerHandingOn } from "./handing_on.js";

const KEY = "lacitta-cards";
const dialog = document.getElementById("ending");
const body = dialog.querySelector("[data-card-body]");
const box = dialog.querySelector("[data-cards]");
const root = `/table/${document.querySelector("[data-game]").dataset.game}`;

function wanted() {
  try {
    return localStorage.getItem(KEY) !== "off";
  } catch {
    return true;
  }
}

box.addEventListener("change", () => {
  try {
    localStorage.setItem(KEY, box.checked ? "on" : "off");
  } catch {
    // Then they come as ever.
  }
});

let shown = "";
async function show(path) {
  shown = path;
  const answer = await insist(() => ask(path), { isStale: () => shown !== path });
  if (answer?.status !== 200 || shown !== path) return;
  body.innerHTML = answer.body;
  offerHandingOn(body);
  box.checked = wanted();
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}

// How many years have ended, and whether the game has.
function read() {
  return {
    years: Number(document.getElementById("news").dataset.years),
    over: Boolean(document.getElementById("state").dataset.over),
  };
}

let known = read();
document.addEventListener("lacitta:refreshed", () => {
  const now = read();
  if (wanted() && now.over && !known.over) show(`${root}/end`);
  else if (wanted() && now.years > known.years) show(`${root}/year/${now.years}`);
  known = now;
});

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-card]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  show(link.getAttribute("href"));
});
