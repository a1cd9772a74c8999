// Keys that do something by themselves (a digit, a letter, the space bar): whoever is in their way
// turns them off, for this browser.
const KEY = "lacitta-shortcuts";

export function shortcutsOn() {
  try {
    return localStorage.getItem(KEY) !== "off";
  } catch {
    return true;
  }
}

// Whether a key is meant as one: nobody types, and nothing else is held.
export function isShortcut(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !shortcutsOn()) return false;
  return !event.target.closest?.("input, select, textarea, [contenteditable], dialog[open]");
}

for (const box of document.querySelectorAll("[data-shortcuts]")) {
  box.closest("label").hidden = false;
  box.checked = shortcutsOn();
  box.addEventListener("change", () => {
    try {
      localStorage.setItem(KEY, box.checked ? "on" : "off");
    } catch {
      // Then they stay as they are.
    }
  });
}
