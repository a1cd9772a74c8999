// Links that lead to the moment that is shown follow it.
const moving = [...document.querySelectorAll("#share [data-moving]")].map((element) => ({
  element,
  key: element.matches("a") ? "href" : "value",
}));
let shown = Number(document.getElementById("share").dataset.number);

function follow(number) {
  for (const { element, key } of moving) {
    const old = key === "href" ? element.getAttribute(key) : element[key];
    // The moment is the last part of the path, or the one before the picture's name.
    const made = old.replace(new RegExp(`/${shown}(?=$|[/?"#])`), `/${number}`);
    if (key === "href") element.setAttribute(key, made);
    else element.value = made;
  }
  shown = number;
}

document.addEventListener("lacitta:moment", ({ detail }) => follow(detail.number));
// Whoever is quick has stepped on before this was loaded.
follow(Number(document.getElementById("state").dataset.number));
