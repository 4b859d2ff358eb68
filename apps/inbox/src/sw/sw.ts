// The service worker keeps the page itself, so it opens without the daemon and says so. It ignores everything under
// /v1.

/** The parts of a service worker that are used here. TypeScript cannot load its types beside those of a page. */
interface Lasting extends Event {
  waitUntil(done: Promise<unknown>): void;
}
interface Fetching extends Lasting {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}
interface NotificationClick extends Lasting {
  readonly notification: Notification;
}
interface WindowClient {
  readonly url: string;
  focus(): Promise<WindowClient>;
  postMessage(message: unknown): void;
}
interface WorkerScope {
  readonly location: Location;
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<WindowClient[]>;
    openWindow(url: string): Promise<WindowClient | null>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: Lasting) => void): void;
  addEventListener(type: 'fetch', listener: (event: Fetching) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: NotificationClick) => void): void;
}

const worker = globalThis as unknown as WorkerScope;
const CACHE = 'beckon-__SHELL_VERSION__';
/** The build inserts every file of the page with a hash in its name. */
const FILES = JSON.parse('__SHELL_FILES__') as string[];
const PAGE = '/';
const UNHASHED = ['/theme.js', '/manifest.webmanifest', '/icons/mark.svg', '/icons/icon-192.png'];

worker.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) =>
        cache.addAll([PAGE, ...UNHASHED, ...FILES].map((path) => new Request(path, { cache: 'no-cache' }))),
      )
      .then(() => worker.skipWaiting()),
  );
});

worker.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))))
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

worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { path } = (event.notification.data ?? {}) as { path?: unknown };
  event.waitUntil(openPath(typeof path === 'string' && path.startsWith('/') ? path : '/'));
});

// The daemon's page, or the stored one if the daemon cannot be reached.
async function openPage(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(PAGE);
    if (kept === undefined) throw error;
    return kept;
  }
}

async function fromCache(request: Request): Promise<Response> {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

async function openPath(path: string): Promise<void> {
  const [open] = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (open === undefined) {
    await worker.clients.openWindow(path);
    return;
  }
  await open.focus();
  open.postMessage({ open: path });
}
