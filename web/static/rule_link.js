// The rule behind a refusal, as a link that opens beside the game; what was refused as a test, and the
// report of what broke, to save.
import { word } from "./words.js";

// The table's own rules where the page names them: <… data-rules="/rules?ruleset=de">.
function address(link) {
  const base = document.querySelector("[data-rules]")?.dataset.rules;
  return base ? base + link.slice(link.indexOf("#")) : link;
}

// Nothing for what no rule stands behind, so that it can be appended wherever a sentence is.
export function ruleLink({ rule, link, test } = {}) {
  const links = [link && behind(rule, link), test && savedLink(test, "make-test")].filter(Boolean);
  if (links.length < 2) return links[0] || "";
  const both = document.createElement("span");
  both.append(links[0], " · ", links[1]);
  return both;
}

function behind(rule, link) {
  if (link.endsWith(".case.toml")) return savedLink(link, "save-report");
  const made = document.createElement("a");
  const numbered = link.endsWith(`#${rule}`);
  made.className = "rule-ref";
  made.href = address(link);
  made.target = "_blank";
  made.rel = "noopener";
  made.textContent = numbered ? word("rule").replace("{rule}", rule) : word("at-the-table");
  return made;
}

// What the rulebooks advise, by its anchor on the page of the rules; nothing where there is none.
export function tipLink(anchor) {
  if (!anchor) return "";
  const made = document.createElement("a");
  made.className = "tip-ref";
  made.href = address(`/rules#${anchor}`);
  made.target = "_blank";
  made.rel = "noopener";
  made.textContent = word("tip");
  return made;
}

function savedLink(link, name) {
  const made = document.createElement("a");
  made.className = "report-ref";
  made.href = link;
  made.dataset.made = "";
  made.textContent = word(name);
  return made;
}

// What was said last stands in the live region, and its rule beside it.
export function addRule(element, answer) {
  const made = ruleLink(answer);
  if (made) element.append(" ", made);
}
