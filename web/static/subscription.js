// This browser's address for pushes: what it is called, and which one the server was told.
const KEPT = "push";

// As the server calls it, from which the address cannot be told.
export async function subscriptionKey(endpoint) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint));
  return [...new Uint8Array(digest)].slice(0, 8).map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function remembered(endpoint) {
  try {
    if (endpoint) localStorage.setItem(KEPT, endpoint);
    else localStorage.removeItem(KEPT);
  } catch {
    // A browser that keeps nothing: the account page shows how things stand.
  }
}

// The subscription, where the browser has made another one since the server was told.
export async function changedSubscription(registration) {
  let known = "";
  try {
    known = localStorage.getItem(KEPT) ?? "";
  } catch {
    // As above.
  }
  const found = known ? await registration.pushManager?.getSubscription() : null;
  return found && found.endpoint !== known ? found.toJSON() : null;
}
