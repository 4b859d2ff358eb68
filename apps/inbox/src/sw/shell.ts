import { worker } from './worker.ts';

/** The path that the page is below, with a slash at its end. Other pages may be on the same host. */
const BASE = new URL(worker.registration.scope).pathname;
const CACHES = `beckon ${BASE} `;
const CACHE = `${CACHES}__SHELL_VERSION__`;
/** The build inserts every file of the page with a hash in its name. */
const FILES = (JSON.parse('__SHELL_FILES__') as string[]).map(toPath);
const UNHASHED = ['theme.js', 'manifest.webmanifest', 'icons/mark.svg', 'icons/icon-192.png'].map(toPath);

/** Keeps the page itself, so it opens without the daemon and says so. It ignores everything under v1. */
export function keepShell(): void {
  worker.addEventListener('install', (event) => {
    event.waitUntil(
      caches
        .open(CACHE)
        .then((cache) =>
          cache.addAll([BASE, ...UNHASHED, ...FILES].map((path) => new Request(path, { cache: 'no-cache' }))),
        )
        .then(() => worker.skipWaiting()),
    );
  });

  worker.addEventListener('activate', (event) => {
    event.waitUntil(
      caches
        .keys()
        .then((names) =>
          Promise.all(
            names.filter((name) => name.startsWith(CACHES) && name !== CACHE).map((name) => caches.delete(name)),
          ),
        )
        .then(() => worker.clients.claim()),
    );
  });

  worker.addEventListener('fetch', (event) => {
    const { request } = event;
    const url = new URL(request.url);
    if (request.method !== 'GET' || url.origin !== worker.location.origin) return;
    if (request.mode === 'navigate') event.respondWith(openPage(request));
    else if (FILES.includes(url.pathname)) event.respondWith(fromCache(request));
    else if (UNHASHED.includes(url.pathname)) event.respondWith(fetch(request).catch(() => fromCache(request)));
  });
}

// The daemon's page, or the stored one if the daemon cannot be reached.
async function openPage(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(BASE);
    if (kept === undefined) throw error;
    return kept;
  }
}

async function fromCache(request: Request): Promise<Response> {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

function toPath(file: string): string {
  return `${BASE}${file}`;
}
