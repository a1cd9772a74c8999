// Marks what differs from the preset while somebody chooses, and counts what is not shown yet.
const form = document.getElementById("choose");
const count = form.querySelector(".count");
const begun = new Map([...form.elements].filter(({ name }) => name).map((field) => [field, state(field)]));

function state(field) {
  return field.matches("[type=radio], [type=checkbox]") ? field.checked : field.value;
}

function mark() {
  let changed = 0;
  for (const [field, before] of begun) {
    if (field.type === "number") {
      field.classList.toggle("differs-here", field.value !== field.dataset.usual);
    }
    // Of two radio buttons only the one that is chosen counts.
    if (state(field) !== before && (field.type !== "radio" || field.checked)) changed += 1;
  }
  const text = changed === 1 ? count.dataset.one : count.dataset.many;
  count.textContent = changed ? text.replace("{n}", changed) : "";
}

form.addEventListener("input", mark);
// A field that is wrong has to be seen: its group unfolds.
form.addEventListener("invalid", ({ target }) => {
  target.closest("details").open = true;
}, true);
document.getElementById("link").addEventListener("focus", ({ target }) => target.select());
