// Passkeys: the account page adds one, the page to log in uses one.
import { send } from "./asking.js";

function toBytes(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (sign) => sign.charCodeAt(0));
}

function toText(bytes) {
  const plain = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(plain).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// Browsers want bytes where JSON has text.
function unpacked(options) {
  const known = (each) => ({ ...each, id: toBytes(each.id) });
  const found = { ...options, challenge: toBytes(options.challenge) };
  if (options.user) found.user = { ...options.user, id: toBytes(options.user.id) };
  if (options.excludeCredentials) found.excludeCredentials = options.excludeCredentials.map(known);
  if (options.allowCredentials) found.allowCredentials = options.allowCredentials.map(known);
  return found;
}

function packed(credential) {
  const response = {};
  const parts = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"];
  for (const part of parts) {
    if (credential.response[part]) response[part] = toText(credential.response[part]);
  }
  return { id: credential.id, rawId: toText(credential.rawId), type: credential.type, response };
}

// The answer's body, or an error with its sentence.
async function answered(path, body) {
  const answer = await send(path, body);
  if (answer.status >= 400) throw new Error(answer.body.sentence ?? answer.body);
  return answer.body;
}

async function add(form) {
  const { options } = await answered("/api/passkeys/options", { password: form.password.value });
  const made = await navigator.credentials.create({ publicKey: unpacked(options) });
  const name = form.elements.namedItem("label").value;
  await answered("/api/passkeys", { name, credential: packed(made) });
  location.hash = "passkeys";
  location.reload();
}

async function logIn(form) {
  const { options } = await answered("/api/session/passkey/options");
  const shown = await navigator.credentials.get({ publicKey: unpacked(options) });
  await answered("/api/session/passkey", { credential: packed(shown) });
  location.assign(form.dataset.next);
}

// Devices know sites by name and only over a safe line; elsewhere none is offered.
const usable = window.isSecureContext && "credentials" in navigator && window.PublicKeyCredential
  && !/^[\d.]+$|:/.test(location.hostname);

for (const form of document.querySelectorAll("form[data-passkey]")) {
  if (!usable) continue;
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const error = form.querySelector(".error");
    error.hidden = true;
    try {
      await (form.dataset.passkey === "add" ? add(form) : logIn(form));
    } catch (problem) {
      // The browser's own reasons say little: mostly that somebody pressed Cancel.
      error.textContent = problem instanceof DOMException ? error.dataset.failed : problem.message;
      error.hidden = false;
    }
  });
}
for (const note of document.querySelectorAll("[data-no-passkey]")) note.hidden = Boolean(usable);
