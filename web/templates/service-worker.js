// Keeps the site for use without network: one cache for each version, filled as a whole or not at all. VERSION and FILES are above.
// Caches belong to all sites of an origin, such as those of one account on GitHub Pages: this one's begin with its own address.
const PREFIX = `heapview ${registration.scope} `;
const CACHE = PREFIX + VERSION;

addEventListener("install", (event) => {
  event.waitUntil(store());
});

addEventListener("activate", (event) => {
  event.waitUntil(tidy());
});

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(registration.scope)) event.respondWith(answer(request));
});

async function store() {
  const cache = await caches.open(CACHE);
  // Past the browser's own cache, which may have files of the version before.
  await cache.addAll(FILES.map((file) => new Request(new URL(file, registration.scope), { cache: "reload" })));
}

async function tidy() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)));
  await clients.claim();
}

/**
 * Files have their version in their address, so the stored ones are right. The page itself comes from the network while there is
 * one: a new version of the site is seen at once.
 */
async function answer(request) {
  const cache = await caches.open(CACHE);
  const stored = await cache.match(request, { ignoreSearch: true });
  if (request.mode !== "navigate") return stored ?? fetch(request);
  try {
    // Not from the browser's own cache: many servers let it keep a page for some minutes, and a file that was replaced within the
    // second of its date looks unchanged to them.
    const fresh = await fetch(request, { cache: "no-store" });
    return fresh.ok ? fresh : (stored ?? fresh);
  } catch (error) {
    if (stored === undefined) throw error;
    return stored;
  }
}
