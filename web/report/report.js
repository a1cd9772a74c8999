"use strict";
// Draws the boards of a game when it is opened, and steps through its events: a step lists the pieces
// that lie on its board. What boards share is added to the page with the first that needs it.
const page = JSON.parse(document.getElementById("steps").textContent);
const defs = document.querySelector("svg.shared defs");
const empty = document.getElementById("side");

for (const details of document.querySelectorAll("details.boards")) {
  if (details.open) draw(details);
  else details.addEventListener("toggle", () => draw(details), { once: true });
}

function draw(details) {
  for (const side of details.querySelectorAll(".side")) prepare(side, page.sides[side.dataset.side]);
}

// What a piece of markup refers to, before it is laid down.
function share(markup) {
  for (const [, name] of markup.matchAll(/href="#([^"]+)"/g)) {
    if (!(name in page.shared) || document.getElementById(name)) continue;
    share(page.shared[name]);
    defs.insertAdjacentHTML("beforeend", `<g id="${name}">${page.shared[name]}</g>`);
  }
}

function prepare(side, strip) {
  side.append(empty.content.cloneNode(true));
  share(strip.svg);
  side.querySelector(".board").innerHTML = strip.svg;
  const svg = side.querySelector("svg");
  const range = side.querySelector("input");
  const told = side.querySelector(".told");
  const markup = (pieces) => pieces.map((piece) => page.pieces[piece]).join("");

  function show(step) {
    svg.querySelector(".lanes").innerHTML = markup(step.hexes);
    svg.querySelector(".cities").innerHTML = markup(step.cities);
    svg.querySelector("title").textContent = step.title;
    told.textContent = told.dataset.words.replace("{number}", () => step.number).replace("{event}", () => step.event);
    range.setAttribute("aria-valuetext", told.textContent);
  }

  range.max = strip.steps.length - 1;
  range.value = strip.shown;
  range.addEventListener("input", () => show(strip.steps[Number(range.value)]));
  show(strip.steps[strip.shown]);
}
