// The page's own words in the reader's language, and the live region that speaks them.
const words = JSON.parse(document.getElementById("words").content.textContent);
const live = document.getElementById("live");

export function word(key) {
  return words[key] ?? key;
}

export function name(key) {
  return words[`name-${key}`] ?? key;
}

export function card(key) {
  return words[`card-${key}`] ?? key;
}

const READING_TIME = 6000;
let hiding = 0;

// Whoever is about to follow a link in it is given time.
function hide() {
  if (live.matches(":hover, :focus-within")) hiding = setTimeout(hide, READING_TIME / 4);
  else close();
}

function close() {
  clearTimeout(hiding);
  live.classList.replace("notice", "heard");
  live.querySelector(".close")?.remove();
}

function closeButton() {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "plain close";
  made.setAttribute("aria-label", word("close"));
  made.addEventListener("click", close);
  return made;
}
live?.addEventListener("keydown", (event) => {
  if (event.key === "Escape") close();
});

// Loud words are seen for a while or until they are closed, the others are heard by screen readers
// only. Those that tell nothing wrong are "friendly". `more` stands after them: a link to the rule,
// or nothing.
export function say(text, loud = false, more = "") {
  clearTimeout(hiding);
  if (loud) hiding = setTimeout(hide, READING_TIME);
  live.textContent = text;
  if (more) live.append(" ", more);
  if (loud) live.append(closeButton());
  live.classList.toggle("heard", !loud);
  live.classList.toggle("notice", Boolean(loud));
  live.classList.toggle("friendly", loud === "friendly");
}
