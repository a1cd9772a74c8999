// Links to hand on: copied by a button, or given to other apps where the device can do that.
function offerCopy(button) {
  const field = document.getElementById(button.dataset.copy);
  const words = button.textContent;
  button.hidden = false;
  button.addEventListener("click", async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      document.execCommand("copy");
    }
    button.textContent = button.dataset.copied;
    setTimeout(() => (button.textContent = words), 2000);
  });
}

// Who gives up there has not failed.
function offerShare(button) {
  const field = document.getElementById(button.dataset.share);
  const shared = { title: button.dataset.title, text: button.dataset.text, url: field.value };
  if (!navigator.canShare?.(shared)) return;
  button.hidden = false;
  button.addEventListener("click", () => navigator.share(shared).catch(() => field.select()));
}

export function offerHandingOn(root = document) {
  root.querySelectorAll("[data-copy]").forEach(offerCopy);
  root.querySelectorAll("[data-share]").forEach(offerShare);
}
