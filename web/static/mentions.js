// @ and the beginning of a name: those who sit at the table are offered, by keyboard or by click.

export class Completion {
  constructor(field, list) {
    this.field = field;
    this.list = list;
    this.names = JSON.parse(field.dataset.names);
    this.at = 0;
    field.addEventListener("input", () => this.offer());
    field.addEventListener("keydown", (event) => this.press(event));
    field.addEventListener("blur", () => this.close());
    // The field keeps the focus while a name is clicked.
    list.addEventListener("mousedown", (event) => event.preventDefault());
    list.addEventListener("click", (event) => {
      const option = event.target.closest("[role=option]");
      if (option) this.take([...list.children].indexOf(option));
    });
  }

  get open() {
    return !this.list.hidden;
  }

  // What stands between the last @ and the caret.
  get begun() {
    const before = this.field.value.slice(0, this.field.selectionStart);
    return /(?:^|[^\p{L}\p{N}_])@([^@]{0,30})$/u.exec(before)?.[1];
  }

  offer() {
    const begun = this.begun?.toLowerCase();
    const found = begun === undefined ? [] : this.names.filter((name) => name.toLowerCase().startsWith(begun));
    this.found = found;
    if (!found.length) {
      this.close();
      return;
    }
    this.list.replaceChildren(...found.map((name, index) => {
      const option = document.createElement("li");
      option.id = `chat-name-${index}`;
      option.setAttribute("role", "option");
      option.textContent = name;
      return option;
    }));
    this.list.hidden = false;
    this.field.setAttribute("aria-expanded", "true");
    this.choose(0);
  }

  choose(index) {
    const options = [...this.list.children];
    this.at = (index + options.length) % options.length;
    options.forEach((option, place) => option.setAttribute("aria-selected", String(place === this.at)));
    options[this.at].scrollIntoView({ block: "nearest" });
    this.field.setAttribute("aria-activedescendant", options[this.at].id);
  }

  press(event) {
    if (!this.open) return;
    const act = {
      ArrowDown: () => this.choose(this.at + 1),
      ArrowUp: () => this.choose(this.at - 1),
      Enter: () => this.take(this.at),
      Tab: () => this.take(this.at),
      Escape: () => this.close(),
    }[event.key];
    if (!act || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    // Escape means the list here, and not the turn that is being chosen.
    event.stopPropagation();
    act();
  }

  take(index) {
    const { field, begun } = this;
    const caret = field.selectionStart;
    const start = caret - begun.length;
    field.setRangeText(`${this.found[index]} `, start, caret, "end");
    this.close();
  }

  close() {
    this.list.hidden = true;
    this.field.setAttribute("aria-expanded", "false");
    this.field.removeAttribute("aria-activedescendant");
  }
}
