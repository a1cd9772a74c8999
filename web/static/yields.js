// What an action costs and brings, in words and as a badge on its hex. The server has counted it.
import { name, word } from "./words.js";

const STOCKS = ["gold", "food", "citizens", "figures", "castles"];
const SERVICES = ["culture", "education", "health"];
const AT_MOST_OPEN = 2;

function signed(number) {
  return number < 0 ? `−${-number}` : `+${number}`;
}

function span(yields, key) {
  const counts = yields.map((each) => each[key] ?? 0);
  return [Math.min(...counts), Math.max(...counts)];
}

// What some actions have in common: "food 8 → 11, gold 3 → 2"; where they differ, from least to most.
export function inWords(yields, holds = {}) {
  if (!yields.length || yields.some((each) => !each)) return "";
  const parts = [];
  let open = 0;
  for (const key of [...STOCKS, "income", ...SERVICES]) {
    const [least, most] = span(yields, key);
    if (!least && !most) continue;
    const what = SERVICES.includes(key) ? name(key) : word(`yield-${key}`);
    if (least !== most) open += 1;
    if (least !== most) parts.push(`${what} ${signed(least)} … ${signed(most)}`);
    else if (STOCKS.includes(key)) parts.push(`${what} ${holds[key] ?? 0} → ${(holds[key] ?? 0) + most}`);
    else parts.push(`${what} ${signed(most)}`);
  }
  const [{ poor }] = yields;
  if (poor && yields.every((each) => each.poor === poor)) parts.push(word(`poor-${poor}`));
  return open > AT_MOST_OPEN ? "" : parts.join(", ");
}

export function isPoor(yields) {
  return yields.length > 0 && yields.every((each) => each?.poor);
}

// What stands on a lit hex: what is gained there, as signs with their number.
export function gains(yields) {
  if (!yields.length || yields.some((each) => !each)) return [];
  const found = [];
  for (const key of ["food", "income", "citizens", ...SERVICES]) {
    const [least, most] = span(yields, key);
    if (least || most) found.push({ key, text: least === most ? signed(most) : signed(least) });
  }
  return found.length || !isPoor(yields) ? found : [{ key: "poor", text: "0" }];
}
