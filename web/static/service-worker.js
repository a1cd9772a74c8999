// What the browser keeps for when the network is gone, and what it shows when the app is closed:
// pages as they were seen last, the files they need, messages that wait. Nothing is ever sent from here.
const FORMAT = 1;
const FILES = `files-${FORMAT}`;
const SEEN = `seen-${FORMAT}-`; // followed by whose knowledge it is; there is never more than one
const MOMENTS = "/moments";
const BOUNDS = { [FILES]: [300, 12e6], pages: [40, 12e6], moments: [600, 24e6] };
const PATIENCE = 5000; // until a page that was seen before is shown without the network
const LEAVING = /^\/(login|logout|register|account\/delete|api\/session|api\/accounts)/;
const STEPS = /^\/(replay|study)\/.+\/parts$|^\/api\/games\/[^/]+\/moments|^\/(replay|study)\/.+\/moments/;
const VERSIONED = /^\/static\/v\/([0-9a-f]+)\//;
const PUTS_BETWEEN = 20;
let puts = 0;
let newest = ""; // the version whose files came last

self.addEventListener("install", (event) => {
  event.waitUntil(prepare());
});

async function prepare() {
  const files = await caches.open(FILES);
  // For nobody: it shows no name and holds no token.
  await files.put("/offline", await fetch("/offline", { credentials: "omit", cache: "no-store" }));
  await self.skipWaiting();
}

self.addEventListener("activate", (event) => {
  event.waitUntil(takeOver());
});

async function takeOver() {
  const names = await caches.keys();
  const old = names.filter((name) => name !== FILES && !name.startsWith(SEEN));
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== location.origin) return;
  if (request.method !== "GET") {
    if (LEAVING.test(url.pathname)) event.waitUntil(forget());
    if (url.pathname === "/logout" || (url.pathname === "/api/session" && request.method === "DELETE")) event.waitUntil(fallSilent());
    return;
  }
  if (url.pathname.startsWith("/static/")) event.respondWith(file(event, VERSIONED.test(url.pathname)));
  else if (request.mode === "navigate") event.respondWith(page(event));
  else if (STEPS.test(url.pathname)) event.respondWith(step(event));
});

// A file at an address of its own version never changes; others are asked for first.
async function file(event, versioned) {
  const { request } = event;
  const files = await caches.open(FILES);
  const known = await files.match(request);
  if (known && versioned) return known;
  try {
    const answer = await fetch(request);
    if (mayStay(answer)) event.waitUntil(put(FILES, request, answer.clone(), FILES).then(() => dropOld(files, request.url)));
    return answer;
  } catch (error) {
    if (known) return known;
    throw error;
  }
}

// Of the site's versions the last two stay: pages of the one before may still be open.
async function dropOld(files, address) {
  const digest = (url) => new URL(url).pathname.match(VERSIONED)?.[1];
  if (!digest(address) || digest(address) === newest) return;
  newest = digest(address);
  const keys = await files.keys();
  const stay = [...new Set(keys.map((key) => digest(key.url)).filter(Boolean))].slice(-2);
  for (const key of keys) if (digest(key.url) && !stay.includes(digest(key.url))) await files.delete(key);
}

async function page(event) {
  const known = await seen(event.request);
  const asked = ask(event, "pages");
  if (!known) return asked.catch(async () => (await alike(event.request)) ?? nothing());
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE));
  const answer = await Promise.race([asked.catch(() => null), late]);
  return answer ?? asOf(known);
}

async function step(event) {
  try {
    return await ask(event, "moments");
  } catch (error) {
    const known = await seen(event.request);
    if (known) return known;
    throw error;
  }
}

// The network's answer; it is kept for the reader to whom it was given.
async function ask(event, kind) {
  const answer = await fetch(event.request);
  const reader = answer.headers.get("X-Reader");
  if (reader) {
    await forget(reader);
    if (mayStay(answer)) event.waitUntil(put(SEEN + reader + (kind === "moments" ? MOMENTS : ""), event.request, answer.clone(), kind));
  }
  return answer;
}

function mayStay(answer) {
  const rule = answer.headers.get("Cache-Control") ?? "";
  return answer.status === 200 && answer.type === "basic" && !answer.redirected && !rule.includes("no-store");
}

async function put(name, request, answer, kind) {
  const body = await answer.blob();
  const headers = new Headers(answer.headers);
  headers.set("X-Kept", String(Date.now()));
  headers.set("X-Size", String(body.size));
  const cache = await caches.open(name);
  // Anew at the end of the line: what was asked for last is forgotten last.
  await cache.delete(request);
  await cache.put(request, new Response(body, { headers }));
  if (kind === "pages" || ++puts % PUTS_BETWEEN === 0) await bound(cache, ...BOUNDS[kind]);
}

async function bound(cache, most, bytes) {
  const keys = (await cache.keys()).reverse();
  let size = 0;
  for (const [number, key] of keys.entries()) {
    size += Number((await cache.match(key))?.headers.get("X-Size")) || 0;
    if (number >= most || size > bytes) await cache.delete(key);
  }
}

// All that was kept for anybody else than this reader goes.
async function forget(reader = "") {
  const own = SEEN + reader;
  for (const name of await caches.keys()) {
    if (name.startsWith(SEEN) && !(reader && (name === own || name === own + MOMENTS))) await caches.delete(name);
  }
}

async function seen(request) {
  for (const name of await caches.keys()) {
    if (!name.startsWith(SEEN)) continue;
    const found = await (await caches.open(name)).match(request, { ignoreVary: true });
    if (found) return found;
  }
  return null;
}

// Another moment of the same game: the viewer steps from there.
async function alike(request) {
  const game = new URL(request.url).pathname.match(/^\/(?:replay|table|study)\/[^/]+/)?.[0];
  for (const name of game ? await caches.keys() : []) {
    if (!name.startsWith(SEEN) || name.endsWith(MOMENTS)) continue;
    const cache = await caches.open(name);
    for (const key of (await cache.keys()).reverse()) {
      const path = new URL(key.url).pathname;
      if (path === game || path.startsWith(`${game}/`)) return asOf(await cache.match(key));
    }
  }
  return null;
}

async function nothing() {
  return (await caches.match("/offline", { cacheName: FILES })) ?? Response.error();
}

// The page says itself how old it is.
async function asOf(answer) {
  const text = (await answer.text()).replace("<html ", `<html data-as-of="${Number(answer.headers.get("X-Kept"))}" `);
  return new Response(text, { headers: answer.headers });
}

// A page asks to have itself kept as it is now, with the files that it uses.
self.addEventListener("message", (event) => {
  const { page: address, files = [] } = event.data ?? {};
  if (address) event.waitUntil(keepPage(event, address, files));
});

async function keepPage(event, address, files) {
  const url = new URL(address, location.origin);
  if (url.origin !== location.origin) return;
  await ask({ request: new Request(url, { credentials: "same-origin" }), waitUntil: (work) => event.waitUntil(work) }, "pages");
  const cache = await caches.open(FILES);
  for (const each of files.slice(0, 120)) {
    const wanted = new URL(each, location.origin);
    if (wanted.origin !== location.origin || !wanted.pathname.startsWith("/static/") || (await cache.match(each))) continue;
    const answer = await fetch(each);
    if (mayStay(answer)) await put(FILES, each, answer, FILES);
  }
}

self.addEventListener("push", (event) => {
  let message = {};
  try {
    message = event.data.json();
  } catch {
    // Whatever it is, something has happened.
  }
  event.waitUntil(tell(message));
});

// One message per game: a newer one takes its place, and none is left when the turn is over.
async function tell({ id = "", tag = "", title = "La Città", body = "", url = "/", waiting, over = false, lang = "" }) {
  if (Number.isInteger(waiting)) await badge(waiting);
  const before = await self.registration.getNotifications({ tag });
  if (over) {
    for (const each of before) each.close();
    return;
  }
  await self.registration.showNotification(title, {
    body,
    tag,
    lang,
    icon: "/static/icons/icon-192.png",
    badge: "/static/icons/badge-96.png",
    renotify: Boolean(tag) && !before.some((each) => each.data?.id === id),
    data: { id, url },
  });
}

async function badge(number) {
  try {
    await (number ? navigator.setAppBadge?.(number) : navigator.clearAppBadge?.());
  } catch {
    // Not every system has one.
  }
}

// Whoever logs out is told nothing here any more.
async function fallSilent() {
  for (const each of await self.registration.getNotifications()) each.close();
  await badge(0);
  await (await self.registration.pushManager?.getSubscription())?.unsubscribe();
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.url ?? "/"));
});

async function open(address) {
  const url = new URL(address, location.origin);
  if (url.origin !== location.origin) return;
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find((each) => new URL(each.url).pathname === url.pathname);
  if (there) await there.focus();
  else await self.clients.openWindow(url.href);
}

// A browser that changes its address for messages: the next page that is opened tells the server.
self.addEventListener("pushsubscriptionchange", (event) => {
  const options = event.oldSubscription?.options;
  if (options) event.waitUntil(self.registration.pushManager.subscribe(options));
});
