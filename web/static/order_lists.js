// Lists of an order that its owner sorts: by buttons, or with Alt and an arrow key on any row.
const panel = document.getElementById("orders");

export function clone(name) {
  const row = panel.querySelector(`template[data-row="${name}"]`);
  return row.content.firstElementChild.cloneNode(true);
}

export function said(name) {
  return panel.querySelector(`template[data-said="${name}"]`).content.textContent;
}

// The buttons that move a row within its list. `changed` hears of every move and removal.
export function movable(row, { changed = () => {}, removable = true } = {}) {
  const moves = clone("moves");
  const [up, down, remove] = moves.children;
  const move = (by, from) => {
    const other = by < 0 ? row.previousElementSibling : row.nextElementSibling;
    if (!other) return;
    if (by < 0) other.before(row);
    else other.after(row);
    changed();
    (from ?? up).focus();
  };
  up.addEventListener("click", () => move(-1, up));
  down.addEventListener("click", () => move(1, down));
  remove.hidden = !removable;
  remove.addEventListener("click", () => {
    const next = row.nextElementSibling ?? row.previousElementSibling ?? row.parentElement.nextElementSibling;
    row.remove();
    changed();
    (next?.querySelector("button") ?? next)?.focus?.();
  });
  row.addEventListener("keydown", (event) => {
    if (!event.altKey || !["ArrowUp", "ArrowDown"].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    move(event.key === "ArrowUp" ? -1 : 1, document.activeElement);
  });
  row.querySelector(".order-row").append(moves);
  return row;
}

export function value(row, name) {
  return row.querySelector(`[name="${name}"]`).value;
}

export function services(row) {
  const chosen = [value(row, "service-1"), value(row, "service-2")].filter(Boolean);
  return [...new Set(chosen)];
}

export function fillServices(row, wished) {
  for (const [index, name] of ["service-1", "service-2"].entries()) {
    row.querySelector(`[name="${name}"]`).value = wished[index] ?? "";
  }
}

// Words in which something is to be put, as in "Turn {number}".
export function put(text, words) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => words[name] ?? whole);
}
