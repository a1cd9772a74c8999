// How an action is chosen: a list of steps, each with a question, a value and words for it.
import { cityName } from "./lit_board.js";
import { card, name, word } from "./words.js";

function step(key, value, text, question, hex = "", about = "") {
  return { key, value: String(value), text: String(text), question, hex, about };
}

function what(value, text) {
  return step("what", value, text, "choose-card");
}

function at(label) {
  return step("at", label, label, "choose-at", label);
}

function place(action) {
  return action.place ? [step("place", action.place, action.place, "choose-place")] : [step("place", 0, "·", "choose-place")];
}

// Figures stand on one arch, or where they may be split on several of one building.
function arches({ service, others = [], figures }) {
  if (!others.length) return step("service", service, name(service), "choose-service");
  const counts = new Map([[service, figures - others.length]]);
  for (const other of others) counts.set(other, (counts.get(other) ?? 0) + 1);
  const text = [...counts].map(([each, count]) => `${name(each)} ${count}`).join(" + ");
  return step("service", text, text, "choose-service");
}

const CHOICES = {
  gold: () => [what("gold", word("gold"))],
  pass: () => [what("pass", word("pass"))],
  castle: (a) => [what("castle", word("castle")), at(a.at)],
  bury: (a) => [what(a.bury ? "bury" : "keep", word(a.bury ? "bury" : "keep"))],
  found: (a) => [what("found", word("found")), at(a.at), step("source", a.source, cityName(a.source), "choose-source", a.source)],
  build: (a) => [
    a.card === "action" ? what("build", word("build")) : what(`card-${a.card}`, card(a.card)),
    step("building", a.building, name(a.building), "choose-building"),
    at(a.at),
    ...place(a),
  ],
  "bread-and-games": (a) => [
    what("card-bread-and-games", card("bread-and-games")),
    at(a.at),
    arches(a),
    step("figures", a.figures, word(`figures-${a.figures}`), "choose-number"),
    ...place(a),
  ],
  "golden-times": (a) => [
    what("card-golden-times", card("golden-times")),
    step("city", a.city, cityName(a.city), "choose-city", a.city),
    step("citizens", a.citizens, word(`citizens-${a.citizens}`), "choose-number"),
    ...place(a),
  ],
  "rich-harvest": (a) => [what("card-rich-harvest", card("rich-harvest")), at(a.at), ...place(a)],
  poll: (a) => [what("card-polling", card("polling")), step("look", a.look.join(), a.look.join(" + "), "choose-look"), ...place(a)],
  demolish: (a) => [what("demolish", word("demolish")), at(a.buildings[0])],
  relocate: (a) => [
    what("relocate", word("relocate")),
    ...a.cities.flatMap((mover, i) => [
      step(`city-${i}`, mover.city, `${i + 1}. ${cityName(mover.city)}`, "choose-city", mover.city),
      step(`service-${mover.city}`, mover.service, `${cityName(mover.city)}: ${name(mover.service)}`, "choose-service", "", cityName(mover.city)),
    ]),
  ],
  starve: (a, all) => [
    what("starve", word("starve")),
    ...[...new Set(all.flatMap((other) => other.losses.map((loss) => loss.city)))].sort().map((city) => {
      const lost = a.losses.find((loss) => loss.city === city)?.citizens ?? 0;
      return step(`city-${city}`, lost, `${cityName(city)}: ${lost}`, "choose-hungry", "", cityName(city));
    }),
  ],
};

export function stepsOf(action, all) {
  return (CHOICES[action.type] ?? (() => [what(action.type, action.type)]))(action, all);
}
