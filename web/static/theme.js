// Runs before the first paint, so that nobody sees the other theme flash up.
try {
  const kept = localStorage.getItem("theme");
  if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
} catch {
  // Without storage the device decides.
}
// What works with scripts alone is laid out from the first paint on, what works without them otherwise.
document.documentElement.classList.add("scripted");
