"use strict";
// The keys of the terminal press the buttons of the page, which stays where it was scrolled to while one
// only looks around; and as long as something is computed, the page asks again.
const LOOKS = ["KEY_LEFT", "KEY_RIGHT", "t", "o", "n", "d"];
const kept = "review-looks";
let busy = false;

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.target.closest("input") || (event.target.closest("pre") && event.key.startsWith("Arrow"))) return;
  const button = document.querySelector(`[data-key~="${CSS.escape(event.key)}"]`);
  if (!button) return;
  event.preventDefault();
  // Until the next page is there, a key would judge what nobody has seen.
  if (!busy) button.click();
});

document.addEventListener("submit", ({ submitter }) => {
  busy = true;
  if (submitter && LOOKS.includes(submitter.value)) {
    const focused = document.activeElement === submitter ? submitter.value : "";
    sessionStorage.setItem(kept, JSON.stringify({ top: scrollY, focused }));
  }
});

addEventListener("pageshow", () => {
  busy = false;
});

const before = JSON.parse(sessionStorage.getItem(kept) || "null");
sessionStorage.removeItem(kept);
if (before) {
  scrollTo({ top: before.top, behavior: "instant" });
  if (before.focused) document.querySelector(`button[value="${CSS.escape(before.focused)}"]`)?.focus({ preventScroll: true });
}

const waits = document.querySelector("[data-again]");
if (waits) setTimeout(() => location.reload(), Number(waits.dataset.again));
