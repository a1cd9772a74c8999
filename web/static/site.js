// What the pages do beyond plain HTML: remember a theme, copy a link, look for players, wait for files.
import { made } from "./asking.js";
import { offerHandingOn } from "./handing_on.js";
import { isShortcut } from "./shortcuts.js";
import "./unfold.js";

function chooseTheme(choice) {
  if (choice === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
  try {
    localStorage.setItem("theme", choice);
  } catch {
    // It then holds for this page alone.
  }
  showTheme();
}

function showTheme() {
  const now = document.documentElement.dataset.theme ?? "auto";
  for (const button of document.querySelectorAll("[data-theme-choice]")) {
    button.setAttribute("aria-pressed", String(button.dataset.themeChoice === now));
  }
}

// A waiting room shows who came, and the table once it is full.
function watch(room) {
  let before = "";
  const look = async () => {
    if (document.hidden) return;
    try {
      const answer = await fetch(room.dataset.watch, { headers: { Accept: "application/json" } });
      if (!answer.ok) return;
      const now = await answer.text();
      if (before && now !== before) location.reload();
      before = now;
    } catch {
      // The next look may succeed.
    }
  };
  look();
  setInterval(look, 3000);
  document.addEventListener("visibilitychange", look);
}

// A file that is made first: the page waits for it, and then it is downloaded as ever.
document.addEventListener("click", async (event) => {
  const link = event.target.closest?.("a[data-made]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (await made(link.href)) location.assign(link.href);
});

for (const themes of document.querySelectorAll("[data-themes]")) themes.hidden = false;
for (const button of document.querySelectorAll("[data-theme-choice]")) {
  button.addEventListener("click", () => chooseTheme(button.dataset.themeChoice));
}
showTheme();
offerHandingOn();
document.querySelectorAll("[data-watch]").forEach(watch);

document.addEventListener("keydown", (event) => {
  if (event.key !== "n" || !isShortcut(event)) return;
  document.querySelector("[data-next-game]")?.click();
});
