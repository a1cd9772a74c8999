// A rule's number is a link to it, and copies that link when it is clicked.
const live = document.getElementById("live");

document.addEventListener("click", async (event) => {
  const link = event.target.closest?.(".rule-link");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  try {
    await navigator.clipboard.writeText(link.href);
    live.textContent = "";
    live.textContent = live.dataset.copied;
  } catch {
    // The link is in the address bar now, to be copied from there.
  }
});

// On a narrow screen the contents would push the rules off it.
if (matchMedia("(max-width: 999px)").matches) document.querySelector(".contents details").open = false;

// Chapters are folded.
const chapters = [...document.querySelectorAll("details.chapter")];
const fold = document.querySelector(".fold");

fold.hidden = false;
fold.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button) for (const chapter of chapters) chapter.open = "open" in button.dataset;
});
addEventListener("beforeprint", () => chapters.forEach((chapter) => { chapter.open = true; }));
