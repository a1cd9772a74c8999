"use strict";
// Steps through the events of a game: a step lists the pieces that lie on its board.
const page = JSON.parse(document.getElementById("steps").textContent);
for (const side of document.querySelectorAll(".side")) prepare(side, page.sides[side.dataset.side]);

function prepare(side, steps) {
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

  range.addEventListener("input", () => show(steps[Number(range.value)]));
  range.setAttribute("aria-valuetext", told.textContent);
  side.querySelector(".stepper").hidden = false;
}
