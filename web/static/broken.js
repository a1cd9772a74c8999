// What breaks on a page of a game, in a script or at the server, is said once over whatever is shown,
// with a report of it to save. Of a moment that is looked at its own test tells most.
const { report, broke, saveReport, close } = document.body.dataset;
let told = false;

export function tellBroken(link) {
  const address = link || momentLink() || report;
  if (told || !address) return;
  told = true;
  const notice = document.createElement("p");
  notice.className = "broke";
  notice.setAttribute("role", "alert");
  const saved = document.createElement("a");
  saved.href = address;
  saved.dataset.made = "";
  saved.textContent = saveReport;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "plain";
  button.textContent = "×";
  button.setAttribute("aria-label", close);
  button.addEventListener("click", () => {
    told = false;
    notice.remove();
  });
  notice.append(broke, " ", saved, " ", button);
  document.body.append(notice);
}

// The opening is no moment of its own: nothing was done before it.
function momentLink() {
  const link = document.querySelector('#share a[href*="/moment.case.toml"]')?.getAttribute("href");
  return link?.includes("/1/moment.case.toml") ? "" : link;
}

// What a browser only notes, and what comes from elsewhere than the page, has no error of its own.
addEventListener("error", ({ error }) => error && tellBroken());
addEventListener("unhandledrejection", () => tellBroken());
