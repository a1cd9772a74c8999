// The review of a game: how far it is, without loading the page again, and the marked decisions, one
// after the other by keys and links. Without this script every link and form works by itself.
import { ask, askMarkup } from "./asking.js";
import { center } from "./centering.js";
import { isShortcut } from "./shortcuts.js";

const { game, seat } = document.querySelector(".review").dataset;
const shown = document.getElementById("review");
const live = document.getElementById("live");
const EVERY = 1500;
const SLOWEST = 15000;
let wanted = "";
let heading = "";

function parse(html) {
  return new DOMParser().parseFromString(html, "text/html");
}

// The same address as data or as parts, with everything that it asks for.
function partsOf(address) {
  const url = new URL(address, location.href);
  return `${url.pathname}/parts${url.search}`;
}

// How far it is. A lost network only makes it look less often.
function watch(pause) {
  const making = document.getElementById("making");
  if (!["waiting", "running"].includes(making.dataset.state)) return;
  setTimeout(async () => {
    const query = seat === "0" ? "" : `?seat=${seat}`;
    const { status, body } = await ask(`/api/games/${game}/review/status${query}`);
    const words = document.getElementById("making-words");
    if (status !== 200) {
      words.textContent = body?.sentence ?? "";
      watch(Math.min(2 * pause, SLOWEST));
      return;
    }
    const told = words.textContent;
    if (told !== body.sentence) words.textContent = body.sentence;
    const bar = document.getElementById("making-bar");
    bar.max = body.whole || 1;
    bar.value = body.done;
    const news = body.state !== making.dataset.state && !["waiting", "running"].includes(body.state);
    if (news || body.finer !== Boolean(making.dataset.finer)) await refresh();
    else making.dataset.state = body.state;
    watch(EVERY);
  }, pause);
}

// All of it anew, with the same boxes and lists open as before.
async function refresh() {
  const { status, body } = await askMarkup(partsOf(location.href));
  if (status !== 200) return;
  const open = [...shown.querySelectorAll("details")].map((each) => each.open);
  const hindsight = document.getElementById("hindsight")?.checked;
  const focused = document.activeElement?.id;
  shown.innerHTML = body;
  shown.querySelectorAll("details").forEach((each, index) => (each.open = open[index] ?? false));
  center();
  const box = document.getElementById("hindsight");
  if (box && hindsight) box.checked = true;
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

// Another decision, or another picture of it: that alone changes, and where the graph and the list
// say which it is. The last wish counts.
async function go(address, number, way) {
  wanted = address;
  heading = number;
  const decision = document.getElementById("decision");
  decision.setAttribute("aria-busy", "true");
  const { status, body } = await askMarkup(partsOf(address));
  if (wanted !== address) return;
  heading = "";
  decision.removeAttribute("aria-busy");
  if (status !== 200) {
    live.textContent = body?.sentence ?? document.body.dataset.lost;
    return;
  }
  const found = parse(body);
  const inside = decision.contains(document.activeElement);
  for (const id of ["decision", "marked-list"]) {
    document.getElementById(id).replaceWith(document.importNode(found.getElementById(id), true));
  }
  const lines = found.querySelectorAll(".win-graph .here");
  shown.querySelectorAll(".win-graph .here").forEach((each, at) => (each.innerHTML = lines[at]?.innerHTML ?? ""));
  history.replaceState(null, "", address);
  center();
  const now = document.getElementById("decision");
  if (inside) (now.querySelector(`[data-way="${way}"]:not([aria-disabled])`) ?? now).focus({ preventScroll: true });
  document.querySelector("#marked-list [aria-current]")?.scrollIntoView({ block: "nearest" });
  live.textContent = now.querySelector("h3").textContent.trim();
}

// The decision before or after the one that is shown, or that is on its way.
function neighbour(way) {
  const links = [...document.querySelectorAll("#marked-list a")];
  const here = heading || document.getElementById("decision")?.dataset.number;
  const at = links.findIndex((each) => each.dataset.decision === here);
  return at < 0 ? undefined : links[at + (way === "back" ? -1 : 1)];
}

shown.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-decision]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  if (!new URL(link.getAttribute("href"), location.href).pathname.endsWith("/review")) return;
  event.preventDefault();
  const away = !link.closest("#decision");
  const way = link.dataset.way ?? "";
  const to = (way && neighbour(way)) || link;
  go(to.getAttribute("href"), to.dataset.decision, way).then(() => {
    if (away) document.getElementById("decision").scrollIntoView({ block: "start" });
  });
});

document.addEventListener("keydown", (event) => {
  const way = { ArrowLeft: "back", ArrowRight: "on" }[event.key];
  if (!way || !isShortcut(event) || event.target.closest?.(".wide, .board-frame")) return;
  const link = neighbour(way);
  if (!link) return;
  event.preventDefault();
  go(link.getAttribute("href"), link.dataset.decision, way);
});

center();
watch(EVERY);
