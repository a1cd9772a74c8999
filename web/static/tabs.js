// What stands beside the board, one panel at a time. A wide screen shows cards and players always;
// a small one has the turn, the cards and everything else in the same place, and folds what is rare.
const table = document.querySelector(".table");
const tabs = document.getElementById("tabs");
const list = tabs.querySelector("[role=tablist]");
const more = tabs.querySelector(".tabs-more");
const larger = tabs.querySelector(".tabs-larger");
const SMALL = window.matchMedia("not all and (min-width: 1000px) and (min-height: 560px)");
const ONLY_SMALL = ["board", "cards", "players"];

function tabOf(name) {
  return document.getElementById(`tab-${name}`);
}

function panelOf(name) {
  return document.getElementById(`side-${name}`);
}

function all() {
  return [...list.querySelectorAll("[role=tab]")];
}

function isSeen(tab) {
  return !tab.hidden && tab.getClientRects().length > 0;
}

// A panel may have nothing to show by now: then there is no tab to it.
function isThere(name) {
  if (name === "board") return true;
  const panel = panelOf(name);
  if (!panel || panel.hidden) return false;
  return name !== "away" || [...panel.children].some((each) => !each.hidden);
}

function current() {
  return SMALL.matches ? table.dataset.sheet : table.dataset.shown;
}

function fold(open = false) {
  tabs.classList.toggle("unfolded", open);
  more.setAttribute("aria-expanded", String(open));
}

function dress() {
  const name = current();
  for (const tab of all()) {
    tab.hidden = !isThere(tab.dataset.tab);
    tab.setAttribute("aria-selected", String(tab.dataset.tab === name));
    tab.tabIndex = tab.dataset.tab === name ? 0 : -1;
  }
  const hidden = tabOf(name)?.classList.contains("rest");
  more.classList.toggle("current", Boolean(hidden));
  for (const each of panelOf(name)?.querySelectorAll(":scope > details.panel") ?? []) each.open = true;
}

// Show a panel. `asked` says that somebody wanted it, not the page.
export function showPanel(name, asked = true) {
  if (!isThere(name)) return;
  if (!ONLY_SMALL.includes(name)) table.dataset.shown = name;
  if (SMALL.matches && (asked || table.dataset.sheet !== "board")) table.dataset.sheet = name;
  if (asked && SMALL.matches && table.dataset.size === "down") table.dataset.size = "half";
  fold();
  dress();
  document.dispatchEvent(new CustomEvent("lacitta:shown", { detail: { panel: name, asked } }));
}

list.addEventListener("click", (event) => {
  const tab = event.target.closest("[role=tab]");
  if (tab) showPanel(tab.dataset.tab);
});
const KEYS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
list.addEventListener("keydown", (event) => {
  const seen = all().filter(isSeen);
  const at = seen.indexOf(event.target.closest("[role=tab]"));
  let next = null;
  if (KEYS[event.key]) next = seen[(at + KEYS[event.key] + seen.length) % seen.length];
  if (event.key === "Home") [next] = seen;
  if (event.key === "End") next = seen.at(-1);
  if (!next) return;
  event.preventDefault();
  event.stopPropagation();
  const unfolded = tabs.classList.contains("unfolded");
  showPanel(next.dataset.tab);
  fold(unfolded);
  next.focus();
});
more.addEventListener("click", () => fold(!tabs.classList.contains("unfolded")));
larger.addEventListener("click", () => {
  const on = table.toggleAttribute("data-larger");
  larger.setAttribute("aria-pressed", String(on));
});
tabs.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !tabs.classList.contains("unfolded")) return;
  event.stopPropagation();
  fold();
  more.focus();
});

// A link to something in a panel shows that panel first.
function follow(hash) {
  const goal = hash.length > 1 && document.getElementById(decodeURIComponent(hash.slice(1)));
  const name = goal && goal.closest("[data-panel]")?.dataset.panel;
  if (!name) return false;
  showPanel(name);
  goal.scrollIntoView({ block: "nearest" });
  return true;
}
document.addEventListener("click", (event) => {
  const link = event.target.closest?.('.table a[href^="#"]');
  if (link && follow(link.hash)) event.preventDefault();
});
document.addEventListener("lacitta:show", ({ detail }) => showPanel(detail.panel, detail.asked));

// Who wants to see whom people move to sees it in relocation, and goes on reading afterwards.
let phase = document.getElementById("state").dataset.phase;
let before = "story";
document.addEventListener("lacitta:refreshed", () => {
  const now = document.getElementById("state").dataset;
  if (now.phase !== phase) {
    const { shown } = table.dataset;
    if (now.over) showPanel("final");
    else if (now.phase === "relocation" && shown === "story") {
      before = shown;
      showPanel("compare", false);
    } else if (phase === "relocation" && shown === "compare") showPanel(before, false);
    phase = now.phase;
  }
  if (!isThere(table.dataset.shown)) table.dataset.shown = "story";
  if (!isThere(table.dataset.sheet)) table.dataset.sheet = "board";
  dress();
});
// Whoever acts on a small screen sees the turn again.
document.addEventListener("lacitta:propose", () => SMALL.matches && showPanel("board"));
SMALL.addEventListener("change", dress);

dress();
follow(location.hash);
