// What an address names may lie in something folded: it is unfolded, where the browser does not do
// that itself.
export function unfoldNamed() {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const folded = named?.closest("details:not([open])");
  if (!folded) return;
  folded.open = true;
  named.scrollIntoView();
}

addEventListener("hashchange", unfoldNamed);
// A link to where the page already is changes no address, but what it names may have been folded.
document.addEventListener("click", (event) => {
  if (event.target.closest?.('a[href^="#"]')) setTimeout(unfoldNamed);
});
unfoldNamed();
