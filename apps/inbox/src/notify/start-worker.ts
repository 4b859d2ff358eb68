import { findBasePath } from '../state/own-address.ts';

/** Registers the service worker, and lets it know that this page lives, so that a press can bring it to the front. */
export function startWorker(): void {
  const { serviceWorker } = navigator;
  serviceWorker.addEventListener('message', ({ data, ports }: MessageEvent<{ isThere?: unknown } | null>) => {
    if (data?.isThere === true) ports[0]?.postMessage(true);
  });
  void serviceWorker.register(`${findBasePath()}/sw.js`).catch(() => undefined); // The page works without it.
}
