// A turn is guessed as one is taken at the table: step by step, from a list or on the board, with a
// look at what would come of it. The form then sends which of the actions it was.
import { send } from "./asking.js";
import { Chooser } from "./chooser.js";

const form = document.getElementById("guess-form");

function offer() {
  const { at, chapter, notebook, seat, title } = form.dataset;
  const actions = JSON.parse(document.getElementById("guess-choices").content.textContent);
  const query = new URLSearchParams(location.search);
  query.set("number", at);
  query.set("seat", seat);
  const path = `/api/notebooks/${notebook}/choices/${chapter}/-?${query}`;
  const chooser = new Chooser({
    turn: document.getElementById("turn"),
    title,
    preview: (action) => send(path, action),
    confirm(action) {
      const chosen = JSON.stringify(action);
      form.elements.action.value = actions.findIndex((each) => JSON.stringify(each) === chosen);
      form.submit();
      // The next page says what came of it; until then the button waits.
      return new Promise(() => {});
    },
  });
  form.hidden = true;
  chooser.offer({ actions, suggestion: null, version: at }, false);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.defaultPrevented) chooser.back();
  });
}

if (form) offer();
else document.getElementById("guess-head").focus({ preventScroll: true });
