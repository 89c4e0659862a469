// Caches this version of the whole page in the browser for offline use. scripts/web sets VERSION to a digest of all
// files, so any change results in a new service worker, which fetches all files again.
"use strict";
const VERSION = "@VERSION@";
const FILES = ["./", "index.html", "page.css", "icon.svg", "port.js", "page.js", "worker.js", "wasm_exec.js", "bench.wasm"];

self.addEventListener("install", (event) => {
  const fresh = FILES.map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(fresh)));
});

self.addEventListener("activate", (event) => {
  const old = async () => {
    for (const name of await caches.keys()) if (name !== VERSION) await caches.delete(name);
  };
  event.waitUntil(old());
});

self.addEventListener("fetch", (event) => {
  const kept = FILES.some((file) => new URL(file, self.registration.scope).href === event.request.url.split(/[?#]/)[0]);
  if (event.request.method !== "GET" || !kept) return;
  const answer = async () => (await (await caches.open(VERSION)).match(event.request, { ignoreSearch: true })) || fetch(event.request);
  event.respondWith(answer());
});
