// Taking back and resigning: the buttons around the board that are no turn.
import { act } from "./acting.js";
import { say } from "./words.js";

const table = document.querySelector(".table");
const parts = document.getElementById("parts");
const state = () => document.getElementById("state").dataset;

async function decide(type, seat) {
  const { status, body } = await act(table.dataset.game, { type, seat }, Number(state().version));
  return status < 400 ? "" : body.sentence;
}

function renewed() {
  return new Promise((done) => {
    document.addEventListener("lacitta:refreshed", done, { once: true });
    document.dispatchEvent(new CustomEvent("lacitta:acted"));
  });
}

parts.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-take-back]");
  if (!button || button.disabled) return;
  for (const each of parts.querySelectorAll("[data-take-back]")) each.disabled = true;
  let problem = "";
  for (const seat of button.dataset.seats.split(",")) {
    problem ||= await decide(button.dataset.takeBack, Number(seat));
  }
  if (problem) say(problem, true);
  await renewed();
  // Who asks is led to what is waited for; who has the turn again is led there by the table.
  if (!state().owes) document.getElementById("take-back")?.focus({ preventScroll: true });
});

// News redraw the buttons: whoever was at one of them is there again.
let held = "";
parts.addEventListener("focusin", (event) => {
  held = event.target.dataset?.takeBack ?? "";
});
document.addEventListener("lacitta:refreshed", () => {
  if (held && document.activeElement === document.body) {
    parts.querySelector(`[data-take-back="${held}"]`)?.focus({ preventScroll: true });
  }
});

const panel = document.getElementById("panel-resign");
const dialog = document.getElementById("resign");

function seats() {
  return (state().canResign || "").split(",").filter(Boolean);
}

function dress() {
  const playing = seats();
  panel.hidden = !playing.length;
  if (panel.hidden && dialog.open) dialog.close();
  dialog.querySelector("[data-ends]").hidden = !state().resigningEnds;
  dialog.querySelector("[data-goes-on]").hidden = Boolean(state().resigningEnds);
  dialog.querySelector("[data-which]").hidden = playing.length < 2;
  for (const pill of dialog.querySelectorAll("[data-of]")) pill.hidden = !playing.includes(pill.dataset.of);
}

function complain(text) {
  const said = dialog.querySelector(".error");
  said.textContent = text;
  said.hidden = !text;
}

async function resign() {
  const playing = seats();
  const chosen = dialog.querySelector("input[name=seat]:checked")?.value;
  const seat = playing.length > 1 ? chosen : playing[0];
  if (!seat) {
    dialog.querySelector("input[name=seat]")?.focus();
    complain(dialog.querySelector("legend").textContent);
    return;
  }
  const problem = await decide("resign", Number(seat));
  complain(problem);
  if (problem) return;
  dialog.close();
  await renewed();
}

if (panel) {
  panel.addEventListener("click", (event) => {
    if (event.target.closest("[data-resign]")) {
      complain("");
      for (const radio of dialog.querySelectorAll("input")) radio.checked = false;
      dialog.showModal();
    }
    if (event.target.closest("[data-resign-now]")) resign();
  });
  document.addEventListener("lacitta:refreshed", dress);
  dress();
}
