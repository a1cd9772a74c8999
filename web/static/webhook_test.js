// How a test message went, as soon as it is known.

const TRIES = 20;

async function look(left) {
  const list = document.getElementById("webhook-list");
  if (!list || !("testing" in list.dataset) || !left) return;
  try {
    const answer = await fetch(location.pathname, { cache: "no-store" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const found = page.getElementById("webhook-list");
    if (found) {
      list.replaceChildren(...found.childNodes);
      if (!("testing" in found.dataset)) delete list.dataset.testing;
    }
  } catch {
    // The next look may succeed.
  }
  setTimeout(() => look(left - 1), 1000);
}

setTimeout(() => look(TRIES), 500);
