// The page of plans: steps are chosen as on the table, walked through by keys, kept by the server.
import { ask, askMarkup, send } from "./asking.js";
import { Chooser } from "./chooser.js";
import { follow } from "./news.js";
import { say, word } from "./words.js";

const page = document.querySelector(".plans");
const parts = document.getElementById("plan-parts");
const turn = document.getElementById("turn");
const { game, seat } = page.dataset;
const base = `/api/games/${game}/plans`;
const EVERY = Number(page.dataset.every) || 3000;
const TYPING = "input, select, textarea, .turn, .wide";
let chosenFor = 0;

function now() {
  const { version, plan, at, last, against, over } = document.getElementById("plan-state").dataset;
  return { version: Number(version), plan, at: Number(at), last: Number(last), against, over };
}

function url(what, query = {}) {
  return `${base}${what}?${new URLSearchParams({ seat, ...query })}`;
}

function complain(body) {
  say(body.sentence || word("failed"), true);
}

// Another moment or another plan. Whoever asked last is answered.
let asked = 0;
async function show({ plan = now().plan, at, against = now().against, gone = "" } = {}) {
  asked += 1;
  const mine = asked;
  const query = new URLSearchParams({ seat, plan });
  if (at !== undefined) query.set("at", at);
  if (against && against !== String(plan)) query.set("against", against);
  const { status, body } = await askMarkup(`/table/${game}/plans/parts?${query}${gone && `&gone=${gone}`}`);
  if (mine !== asked) return;
  if (status !== 200) {
    say(word("failed"), true);
    return;
  }
  const frame = document.getElementById("board");
  const { scrollLeft, scrollTop } = frame;
  const focus = keyOf(document.activeElement);
  chooser.clear();
  doing.clear();
  parts.innerHTML = body;
  document.getElementById("board").scrollTo(scrollLeft, scrollTop);
  query.set("at", now().at);
  history.replaceState(null, "", `/table/${game}/plans?${query}`);
  if (focus) (parts.querySelector(focus) ?? document.getElementById("board")).focus({ preventScroll: true });
  say([...parts.querySelectorAll(".walk-words, .moment-words")].map((each) => each.innerText).join(" "));
}

// What had the focus has it again after the parts are drawn anew.
function keyOf(element) {
  if (!element || !parts.contains(element)) return "";
  if (element.hasAttribute("rel")) return `[rel=${element.getAttribute("rel")}]:enabled`;
  if (element.name) return `[name=${element.name}]`;
  return element.closest(".board-part") ? "#board" : ".plan-step.shown a, h2";
}

const chooser = new Chooser({
  turn,
  title: "",
  preview: (action) => send(url(`/${now().plan}/choices/${now().at}`), action),
  confirm: (action) => send(url(`/${now().plan}/steps`), { action, after: now().at }),
  done: added,
  hint: () => ask(url(`/${now().plan}/choices/${now().at}/hint`, { of: chosenFor })),
  close,
});
// What is done now is sent to the game itself, with the same preview and the same question.
const doing = new Chooser({
  turn,
  title: "",
  preview: (action) => send(`/api/games/${game}/preview`, action),
  confirm: (action) => send(`/api/games/${game}/actions?version=${now().version}`, action),
  done: () => show(),
  close,
});

function close() {
  chooser.clear();
  doing.clear();
  document.getElementById("board").focus({ preventScroll: true });
}

async function added({ moment }) {
  await show({ at: moment || undefined });
  document.getElementById("walk-words").scrollIntoView({ block: "nearest" });
  parts.querySelector("[data-of], [data-skip]")?.focus({ preventScroll: true });
}

async function choose({ of, title }) {
  const { plan, at } = now();
  const { status, body } = await ask(url(`/${plan}/choices/${at}`, { of }));
  if (status !== 200) {
    complain(body);
    return;
  }
  chosenFor = body.seat;
  chooser.title = title;
  chooser.guessing = String(chosenFor) !== seat;
  chooser.offer({ ...body, version: `${plan}/${at}` }, true);
  turn.scrollIntoView({ block: "nearest" });
}

// The steps' ids as they stand: what is past comes first, then what is to come.
function ids() {
  return [...parts.querySelectorAll(".step-buttons[data-step]")].map((row) => Number(row.dataset.step));
}

async function change(body) {
  const answer = await send(url(`/${now().plan}`), body);
  if (answer.status === 200) await show({ at: now().at });
  else complain(answer.body);
}

function moved(step, by) {
  const order = ids();
  const from = order.indexOf(step);
  const to = from + by;
  if (to < 0 || to >= order.length) return order;
  [order[from], order[to]] = [order[to], order[from]];
  return order;
}

async function made(answer) {
  if (answer.status === 201 || answer.status === 200) await show({ plan: String(answer.body.plan) });
  else complain(answer.body);
}

const DEEDS = {
  go: ({ go }) => show({ at: go }),
  new: async () => made(await send(url(""), {})),
  copy: async () => made(await send(url(""), { copy_of: now().plan })),
  restore: async ({ restore }) => made(await send(url(`/${restore}/restore`))),
  delete: async () => {
    const gone = now().plan;
    const { status, body } = await send(url(`/${gone}`), undefined, "DELETE");
    if (status === 200) await show({ plan: "", gone });
    else complain(body);
  },
  of: choose,
  skip: async () => {
    const { status, body } = await send(url(`/${now().plan}/steps`), { after: now().at });
    if (status === 201) await added(body);
    else complain(body);
  },
  do: ({ do: action, name }) => {
    doing.offer({ actions: [JSON.parse(action)], version: now().version }, true);
    doing.propose({ action: JSON.parse(action), title: name });
    turn.scrollIntoView({ block: "nearest" });
  },
  move: async ({ move }, step) => {
    await change({ steps: moved(step, Number(move)) });
    // The menu stays open: a step is often moved more than once.
    const row = parts.querySelector(`[data-step="${step}"]`);
    row.closest("details").open = true;
    row.querySelector(`[data-move="${move}"]`)?.focus({ preventScroll: true });
  },
  drop: (_, step) => change({ steps: ids().filter((id) => id !== step) }),
  cut: (_, step) => change({ steps: ids().slice(0, ids().indexOf(step)) }),
};

parts.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-at]");
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    show({ at: link.dataset.at });
    return;
  }
  const pressed = event.target.closest("button");
  const deed = pressed && Object.keys(DEEDS).find((name) => name in pressed.dataset);
  if (deed) DEEDS[deed](pressed.dataset, Number(pressed.closest("[data-step]")?.dataset.step));
  else chooser.whyNotThere(event.target.closest("#board [data-hex]"));
});
parts.addEventListener("submit", (event) => {
  event.preventDefault();
  if (event.target.id === "plan-rename") change({ name: event.target.elements.name.value.trim() });
  else show({ at: now().at, against: event.target.elements.against.value });
});
parts.addEventListener("change", (event) => {
  if (event.target.name === "against") show({ at: now().at, against: event.target.value });
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    if (!turn.hidden && !chooser.back()) close();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest(TYPING) || !turn.hidden) return;
  const { at, last } = now();
  const goal = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
  if (goal === undefined || goal < 0 || goal > last) return;
  event.preventDefault();
  show({ at: goal });
});

// The game moves on, and the plans follow it; who is choosing is told first.
async function poll() {
  if (now().over) return false;
  if (document.hidden) return true;
  try {
    const response = await fetch(`/api/games/${game}/news`, {
      headers: { "If-None-Match": `"${now().version}"` }, cache: "no-store",
    });
    if (response.status === 200) await take(await response.json());
  } catch {
    say(word("failed"));
  }
  return true;
}

async function take({ version }) {
  if (version <= now().version) return;
  await show({ at: now().at === now().last ? undefined : now().at });
  say(word("plans-follow"), true);
}
follow(take, poll, () => EVERY);
