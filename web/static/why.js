// Why? Each number with data-why="gold/2" opens the account of events and rules that made it.
//
// The page says which game and moment it shows: <… data-replay="GAME" data-number="12">. A link to
// a moment first asks the page with the event lacitta:goto, whose detail is { game, number }; a
// page that can go there by itself prevents the default.
const word = document.body.dataset.whyWord ?? "?";
const dialog = document.createElement("dialog");
dialog.className = "why-dialog";
dialog.setAttribute("aria-label", word);
document.body.append(dialog);

function address(what) {
  const { replay, number } = document.querySelector("[data-replay]").dataset;
  const path = what.split("/").map(encodeURIComponent).join("/");
  return `/replay/${encodeURIComponent(replay)}/${number}/why/${path}${location.search}`;
}

let asked = "";
async function open(what) {
  asked = what;
  let text;
  try {
    const response = await fetch(address(what), { headers: { Accept: "application/json" } });
    text = await response.text();
  } catch {
    location.assign(address(what));
    return;
  }
  if (asked !== what) return;
  // A problem comes as a page of its own; what it says stands in its main part.
  const answer = new DOMParser().parseFromString(text, "text/html");
  const told = answer.querySelector(".why") ?? answer.querySelector("main");
  dialog.replaceChildren(...(told ? [document.adoptNode(told)] : []));
  dialog.setAttribute("aria-label", dialog.querySelector("h2, h1")?.textContent ?? word);
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}

// What stands in the number is put into a button of its own: a cell of a table must stay a cell.
function equip(element) {
  if (element.matches("a, button")) return;
  if (element instanceof SVGElement) {
    if (element.getAttribute("role") === "button") return;
    element.setAttribute("role", "button");
    element.setAttribute("tabindex", "0");
    element.setAttribute("aria-description", word);
    return;
  }
  if (element.querySelector("button.why-number") || !element.childNodes.length) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "why-number";
  button.title = word;
  button.append(...element.childNodes);
  element.append(button);
}

function equipAll() {
  for (const element of document.querySelectorAll("[data-why]")) equip(element);
}

document.addEventListener("click", (event) => {
  const element = event.target.closest("[data-why]");
  if (!element || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  open(element.dataset.why);
});
document.addEventListener("keydown", (event) => {
  const element = event.target.closest?.("svg [data-why]");
  if (!element || (event.key !== "Enter" && event.key !== " ")) return;
  event.preventDefault();
  open(element.dataset.why);
});

dialog.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close();
  const link = event.target.closest("a[data-goto]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const detail = {
    game: document.querySelector("[data-replay]").dataset.replay,
    number: Number(link.dataset.goto),
  };
  const wish = new CustomEvent("lacitta:goto", { bubbles: true, cancelable: true, detail });
  if (!document.dispatchEvent(wish)) {
    event.preventDefault();
    dialog.close();
  }
});
// The keys that the page itself listens to are not meant for it now.
dialog.addEventListener("keydown", (event) => event.stopPropagation());
dialog.addEventListener("close", () => {
  if (document.activeElement !== document.body) return;
  // News may have replaced the number that had the focus.
  const number = document.querySelector(`[data-why="${CSS.escape(asked)}"]`);
  (number?.querySelector("button.why-number") ?? number)?.focus();
});

equipAll();
new MutationObserver(equipAll).observe(document.body, { childList: true, subtree: true });
