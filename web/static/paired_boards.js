// Two boards side by side that do not fit show the same part.
document.addEventListener("scroll", ({ target }) => {
  if (!target.matches?.(".pair .board-frame")) return;
  for (const frame of document.querySelectorAll(".pair .board-frame")) {
    if (frame !== target) frame.scrollTo(target.scrollLeft, target.scrollTop);
  }
}, { capture: true, passive: true });
