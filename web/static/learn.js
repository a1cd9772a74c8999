// From mistake to mistake, and along two lines, by the arrow keys; a step along the lines changes
// only the lines.
import { center } from "./centering.js";
import { isShortcut } from "./shortcuts.js";

const root = () => document.getElementById("lines") ?? document;
let asked = 0;

async function step(link, focused) {
  const mine = ++asked;
  const answer = await fetch(link.href, { headers: { Accept: "text/html" } }).catch(() => null);
  if (mine !== asked) return;
  const found = answer?.status === 200
    ? new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("lines") : null;
  // What cannot be put in place is gone to.
  if (!found) {
    location.assign(link.href);
    return;
  }
  document.getElementById("lines").replaceWith(found);
  history.replaceState(null, "", link.href);
  found.querySelectorAll(".line-story [aria-current]").forEach((here) => {
    const list = here.parentElement;
    list.scrollTop = here.offsetTop - list.offsetTop - list.clientHeight / 2;
  });
  if (focused) found.querySelector(focused)?.focus();
}

function selectorOf(link) {
  if (link.rel) return `.line-steps [rel=${link.rel}]`;
  return `.line-steps [${"first" in link.dataset ? "data-first" : "data-last"}]`;
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.(".line-steps a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  step(link, selectorOf(link));
});

document.addEventListener("keydown", (event) => {
  const rel = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  if (!rel || !isShortcut(event) || event.target.closest?.("#board, [role=radiogroup]")) return;
  const link = root().querySelector(`a[rel=${rel}]:not([aria-disabled])`);
  if (!link) return;
  event.preventDefault();
  if (link.closest(".line-steps")) step(link, "");
  else location.assign(link.href);
});

if (!document.getElementById("guess-form")) document.getElementById("guess-head")?.focus({ preventScroll: true });
center();
