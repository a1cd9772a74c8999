// Standing orders: those that stand and those that have ended, and a form for each kind.
import { ask, send } from "./asking.js";
import { insist } from "./connection.js";
import { clone, fillServices, movable, said, services, value } from "./order_lists.js";
import { PoliticsForm, turnTitle } from "./order_steps.js";
import { name, say, word } from "./words.js";

const panel = document.getElementById("orders");
const { game } = document.querySelector(".table").dataset;
const forms = new Map([...panel.querySelectorAll("form[data-kind]")].map((form) => [form.dataset.kind, form]));
const now = { seat: 0, version: 0, orders: null };
const path = () => `/api/games/${game}/orders?seat=${now.seat}`;

const politics = new PoliticsForm(forms.get("politics"), () => ({
  game, seat: now.seat, politics: { year: now.orders?.year ?? "" },
}));

function standingOf(kind) {
  return now.orders.standing.find((each) => each.kind === kind);
}

// What stands and what has ended.

function showStanding() {
  const rows = now.orders.standing.map((order) => {
    const row = clone("standing");
    row.querySelector("[data-title]").textContent = order.title;
    row.querySelector("[data-words]").textContent = order.sentences.join(" ");
    row.querySelector("[data-words]").hidden = !order.sentences.length;
    for (const [index, steps] of order.turns.entries()) {
      const turn = document.createElement("li");
      const title = document.createElement("h4");
      title.textContent = turnTitle(index + 1);
      const list = document.createElement("ol");
      list.className = "order-steps";
      list.append(...steps.map(({ sentence, only }) => item([sentence, ...only].join(" "))));
      turn.append(title, list);
      row.querySelector("[data-turns]").append(turn);
    }
    row.querySelector("[data-change]").addEventListener("click", () => open(order.kind));
    row.querySelector("[data-withdraw]").addEventListener("click", () => withdraw(order.kind));
    return row;
  });
  panel.querySelector("[data-standing]").replaceChildren(...rows);
  panel.querySelector("[data-none]").hidden = rows.length > 0;
  const count = document.querySelector("#tab-orders [data-count]");
  count.textContent = rows.length;
  count.hidden = !rows.length;
}

function item(text) {
  const made = document.createElement("li");
  made.textContent = text;
  return made;
}

function showEnded() {
  const rows = now.orders.ended.map((order) => {
    const row = clone("ended");
    row.querySelector("[data-title]").textContent = order.title;
    row.querySelector("[data-words]").textContent = order.sentence;
    row.querySelector("[data-tried]").replaceChildren(...order.tried.map(item));
    const played = row.querySelector("[data-played]");
    played.hidden = !order.played.length;
    for (const version of order.played) {
      const link = document.createElement("a");
      link.href = `/table/${game}/at/${version}`;
      link.textContent = version;
      played.append(link, " ");
    }
    return row;
  });
  panel.querySelector("[data-ended]").replaceChildren(...rows);
  panel.querySelector("[data-history]").hidden = !rows.length;
}

function show(body) {
  now.orders = body;
  panel.querySelector("[data-resting]").hidden = !body.resting;
  panel.querySelector(".order-kinds").hidden = !Object.keys(body.realm).length && body.over;
  showStanding();
  showEnded();
}

async function load() {
  const { seat, version } = document.getElementById("state").dataset;
  if (Number(seat) === now.seat && Number(version) === now.version) return;
  if (Number(seat) !== now.seat) closeForms();
  Object.assign(now, { seat: Number(seat), version: Number(version) });
  if (!now.seat) return;
  const isStale = () => Number(seat) !== now.seat || Number(version) !== now.version;
  const answer = await insist(() => ask(path()), { isStale });
  if (answer?.status === 200 && !isStale()) show(answer.body);
}

async function withdraw(kind) {
  const { status, body } = await insist(() => send(`${path()}&kind=${kind}`, undefined, "DELETE"));
  if (status !== 200) {
    say(body.sentence || word("failed"), true);
    return;
  }
  show(body);
  say(said("withdrawn"));
  panel.querySelector(`[data-new="${kind}"]`).focus();
}

// The forms of the other three kinds: filled from an order, and read back into one.

function cityRows(form, template, named, fill) {
  const known = Object.keys(now.orders.realm);
  const order = [...named.filter((city) => known.includes(city)), ...known.filter((city) => !named.includes(city))];
  form.querySelector("[data-cities]").replaceChildren(...order.map((city) => {
    const row = movable(clone(template), { removable: false });
    row.dataset.city = city;
    row.querySelector("[data-words]").textContent = city;
    fill(row, city);
    return row;
  }));
}

function rowsOf(form, list) {
  return [...form.querySelector(list).children];
}

function addFall(form, wanted) {
  const row = movable(clone("fall"));
  const [kind, at] = [wanted.building, wanted.at];
  row.dataset.fall = kind ?? at;
  const mine = Object.assign({}, ...Object.values(now.orders.realm));
  row.querySelector("[data-words]").textContent = kind ? name(kind) : mine[at] ? `${at} (${name(mine[at])})` : at;
  form.querySelector("[data-falls]").append(row);
}

function fallOf(word_) {
  const kinds = [...forms.get("demolition").elements.fall.options].filter((each) => !each.closest("optgroup[data-mine]"));
  return kinds.some((each) => each.value === word_) ? { building: word_ } : { at: word_ };
}

function dressHow(form) {
  form.querySelector("[data-how]").hidden = form.elements.how.value === "suggested";
}

const KINDS = {
  politics: {
    fill: (form, seen) => {
      const cities = Object.keys(now.orders.realm).map((city) => new Option(city, city));
      form.elements.near.replaceChildren(new Option("—", ""), ...cities);
      politics.fill(seen);
    },
    read: () => politics.order(),
  },
  relocation: {
    fill: (form, seen) => {
      const wishes = seen?.order.cities ?? [];
      cityRows(form, "relocation-city", wishes.map((wish) => wish.city), (row, city) =>
        fillServices(row, wishes.find((wish) => wish.city === city)?.services ?? []));
      fillServices(form.querySelector("fieldset"), seen?.order.services ?? []);
      form.elements.how.value = wishes.length || seen?.order.services.length ? "mine" : "suggested";
      dressHow(form);
    },
    read: (form) => {
      if (form.elements.how.value === "suggested") return {};
      const cities = rowsOf(form, "[data-cities]").map((row) => ({ city: row.dataset.city, services: services(row) }));
      return { cities, services: services(form.querySelector("fieldset")) };
    },
  },
  demolition: {
    fill: (form, seen) => {
      const mine = Object.entries(Object.assign({}, ...Object.values(now.orders.realm)));
      const buildings = mine.filter(([, kind]) => kind !== "castle").map(([at, kind]) => new Option(`${at} (${name(kind)})`, at));
      form.querySelector("[data-mine]").replaceChildren(...buildings);
      form.querySelector("[data-falls]").replaceChildren();
      for (const fall of seen?.order.falls ?? []) addFall(form, fall);
    },
    read: (form) => ({ falls: rowsOf(form, "[data-falls]").map((row) => fallOf(row.dataset.fall)) }),
  },
  hunger: {
    fill: (form, seen) => {
      const { first = "suggested", cities = [], keep = [], keep_buildings = false } = seen?.order ?? {};
      form.elements.first.value = first;
      form.elements.keep_buildings.checked = keep_buildings;
      cityRows(form, "hunger-city", cities, (row, city) => {
        row.querySelector("[name=keep]").value = keep.find((each) => each.city === city)?.citizens ?? 0;
      });
    },
    read: (form) => {
      const rows = rowsOf(form, "[data-cities]");
      const first = form.elements.first.value;
      return {
        first,
        cities: first === "named" ? rows.map((row) => row.dataset.city) : [],
        keep: rows.map((row) => ({ city: row.dataset.city, citizens: Number(value(row, "keep")) || 0 }))
          .filter((each) => each.citizens > 0),
        keep_buildings: form.elements.keep_buildings.checked,
      };
    },
  },
};

function closeForms() {
  politics.close();
  for (const form of forms.values()) form.hidden = true;
  for (const button of panel.querySelectorAll("[data-new]")) button.setAttribute("aria-expanded", "false");
}

function open(kind) {
  closeForms();
  const form = forms.get(kind);
  const seen = standingOf(kind);
  refuse(form, "");
  KINDS[kind].fill(form, seen);
  for (const field of ["otherwise", "until"]) {
    if (form.elements[field]) form.elements[field].value = seen?.order[field] ?? form.elements[field].options[0].value;
  }
  form.hidden = false;
  panel.querySelector(`[data-new="${kind}"]`).setAttribute("aria-expanded", "true");
  form.querySelector("h3").focus();
}

function refuse(form, sentence) {
  const place = form.querySelector("[data-refused]");
  place.textContent = sentence;
  place.hidden = !sentence;
}

async function give(kind, form) {
  let order;
  try {
    order = { kind, ...KINDS[kind].read(form) };
  } catch (error) {
    refuse(form, error.message);
    return;
  }
  for (const field of ["otherwise", "until"]) {
    if (form.elements[field]) order[field] = form.elements[field].value;
  }
  const { status, body } = await insist(() => send(path(), order, "PUT"));
  if (status !== 200) {
    refuse(form, body.sentence || word("failed"));
    return;
  }
  closeForms();
  show(body);
  say(said("given"));
  panel.querySelector(`[data-new="${kind}"]`).focus();
}

for (const button of panel.querySelectorAll("[data-new]")) {
  button.setAttribute("aria-expanded", "false");
  button.addEventListener("click", () => (forms.get(button.dataset.new).hidden ? open(button.dataset.new) : closeForms()));
}
for (const [kind, form] of forms) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    give(kind, form);
  });
  form.querySelector("[data-cancel]").addEventListener("click", () => {
    closeForms();
    panel.querySelector(`[data-new="${kind}"]`).focus();
  });
}
forms.get("demolition").elements.fall.addEventListener("change", (event) => {
  if (event.target.value) addFall(forms.get("demolition"), fallOf(event.target.value));
  event.target.value = "";
});
forms.get("relocation").elements.how.addEventListener("change", () => dressHow(forms.get("relocation")));
panel.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && politics.back()) event.stopPropagation();
});
new MutationObserver(() => {
  politics.redrawn();
  load();
}).observe(document.getElementById("parts"), { childList: true });
load();
