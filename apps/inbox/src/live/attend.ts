import { findOwnUrl } from '../state/own-address.ts';

/** Tells the server while the page is in sight, until it is called off. It is not part of the first load. */
export function attend(device: string): () => void {
  const leaving = new AbortController();
  import('./presence.ts')
    .then(({ Presence }) => {
      if (leaving.signal.aborted) return;
      const presence = new Presence({ device, url: findOwnUrl() });
      presence.start();
      leaving.signal.addEventListener('abort', () => presence.stop());
    })
    .catch(() => undefined); // Then the person is told elsewhere what they see here.
  return () => leaving.abort();
}
