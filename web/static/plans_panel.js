// The panel of plans on the table's page: what is planned, kept up with the game, and done from here.
import { askMarkup } from "./asking.js";
import { insist } from "./connection.js";

const panel = document.getElementById("panel-plans");
const list = document.getElementById("plan-list");
const count = document.getElementById("plan-count");
const ahead = document.getElementById("plan-ahead");
const { game } = panel.dataset;
let known = "";

async function load() {
  const { version, seat } = document.getElementById("state").dataset;
  const wanted = `${version}/${seat}`;
  if (wanted === known) return;
  known = wanted;
  const answer = await insist(() => askMarkup(`/table/${game}/plans/panel?seat=${seat}`), { isStale: () => known !== wanted });
  if (answer?.status !== 200 || known !== wanted) return;
  list.innerHTML = answer.body;
  const plans = list.querySelector(".plan-list");
  count.textContent = Number(plans.dataset.count) ? plans.dataset.count : "";
  count.classList.toggle("ready", Number(plans.dataset.ready) > 0);
  const address = new URL(ahead.href);
  address.searchParams.set("seat", seat);
  ahead.href = address.pathname + address.search;
}

list.addEventListener("click", (event) => {
  const asked = event.target.closest("[data-do]");
  if (!asked) return;
  const detail = { action: JSON.parse(asked.dataset.do), title: asked.dataset.name };
  document.dispatchEvent(new CustomEvent("lacitta:propose", { detail }));
  document.getElementById("turn").scrollIntoView({ block: "nearest" });
});
new MutationObserver(load).observe(document.getElementById("parts"), { childList: true });
load();
