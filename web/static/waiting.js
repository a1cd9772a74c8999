// How many games wait for the reader: in the title and on the icon of every page, in every tab.
import { follow } from "./news.js";

const icon = document.querySelector("link[rel=icon]");
const plain = icon.href;
const EVERY = Number(document.body.dataset.every) || 15000;
const title = document.title.replace(/^● /, "");
let waiting = 0;
let here = document.title.startsWith("● ");
const drawing = document.querySelector(".brand svg")?.outerHTML ?? "";

// A table's page knows first whether it is the reader's turn there.
export function myTurnHere(owes) {
  here = Boolean(owes);
  show();
}

function show() {
  const sign = here || waiting ? "● " : "";
  const number = waiting > 1 ? `(${waiting}) ` : "";
  const wanted = `${sign}${number}${title}`;
  if (document.title !== wanted) document.title = wanted;
  showIcon();
}

function showIcon() {
  const number = waiting || (here ? 1 : 0);
  if (icon.dataset.number === String(number)) return;
  icon.dataset.number = number;
  if (!number) {
    icon.href = plain;
    return;
  }
  const text = number > 9 ? "9+" : String(number);
  const badge = `<circle cx="44" cy="44" r="19" fill="#b3261e" stroke="#fff" stroke-width="3"/>`
    + `<text x="44" y="53" font-family="sans-serif" font-weight="bold" font-size="${text.length > 1 ? 20 : 27}"`
    + ` text-anchor="middle" fill="#fff">${text}</text>`;
  icon.href = `data:image/svg+xml,${encodeURIComponent(drawing.replace("</svg>", `${badge}</svg>`))}`;
}

// On the icon of the installed app, where the system has that.
async function showBadge(number) {
  try {
    await (number ? navigator.setAppBadge?.(number) : navigator.clearAppBadge?.());
  } catch {
    // Not every system has one.
  }
}

function take(number) {
  if (number !== waiting) showBadge(number);
  waiting = number;
  show();
}

let version = "";
async function look() {
  try {
    const answer = await fetch("/api/me/waiting", {
      headers: { Accept: "application/json", ...(version && { "If-None-Match": version }) },
      cache: "no-store",
    });
    if (answer.ok) {
      version = answer.headers.get("ETag") || "";
      take((await answer.json()).games.length);
    }
  } catch {
    // The next look may succeed.
  }
}

if (document.querySelector("[data-next-game]")) follow((news) => take(news.waiting), look, () => EVERY);
