// Runs before the first paint, so that nobody sees the other theme flash up.
try {
  const kept = localStorage.getItem("theme");
  if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
} catch {
  // Without storage the device decides.
}
