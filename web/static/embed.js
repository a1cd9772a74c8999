// Arrow keys step through a game that another site shows in a frame.
const KEYS = {
  ArrowLeft: "turn-back", ArrowRight: "turn-on", PageUp: "year-back", PageDown: "year-on", Home: "first", End: "last",
};

document.addEventListener("keydown", (event) => {
  const link = document.querySelector(`a[data-step="${KEYS[event.key]}"][href]`);
  if (!link || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  event.preventDefault();
  // Within a frame nobody wants to go back through every step.
  location.replace(link.href);
});
