import type { ServerResponse } from 'node:http';

/** Calls back when the client is gone; at once where it has gone already, as it may while its token is checked. Returns how to stop that. */
export function whenGone(response: ServerResponse, onGone: () => void): () => void {
  response.once('close', onGone);
  if (response.destroyed) onGone();
  return () => response.off('close', onGone);
}
