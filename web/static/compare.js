// Two moments side by side: one is picked, one goes to the other, and there they are compared.
import { now } from "./viewer.js";
import { say } from "./words.js";

const button = document.getElementById("pick-moment");
const { address, first, picked: told, second } = button.dataset;
let picked = 0;

function dress() {
  const other = picked && picked !== now.number;
  button.textContent = other ? second.replace("{number}", picked) : first;
  button.setAttribute("aria-pressed", String(Boolean(picked)));
}

button.addEventListener("click", () => {
  if (picked && picked !== now.number) {
    const query = new URLSearchParams(location.search);
    query.set("a", Math.min(picked, now.number));
    query.set("b", Math.max(picked, now.number));
    location.assign(`${address}?${query}`);
    return;
  }
  // The same again puts it back.
  picked = picked ? 0 : now.number;
  dress();
  if (picked) say(told.replace("{number}", picked), "friendly");
});
document.addEventListener("lacitta:step", () => queueMicrotask(dress));
document.addEventListener("lacitta:moment", dress);
button.hidden = false;
document.getElementById("compare-form").hidden = true;
dress();
