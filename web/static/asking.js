// Asking the server: JSON where it speaks it, with the page's own token on everything that writes.
const csrf = document.querySelector("meta[name=csrf-token]").content;

export async function ask(path, options = {}) {
  const response = await fetch(path, {
    ...options,
    headers: { "X-CSRFToken": csrf, Accept: "application/json", ...options.headers },
  });
  const isJson = (response.headers.get("Content-Type") || "").includes("json");
  return { status: response.status, body: isJson ? await response.json() : await response.text() };
}

export function send(path, body, method = "POST") {
  return ask(path, {
    method,
    headers: { "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
}
