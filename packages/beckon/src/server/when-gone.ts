import type { ServerResponse } from 'node:http';

/** Calls back when the client is gone, or at once if it already is. The returned function stops that. */
export function whenGone(response: ServerResponse, onGone: () => void): () => void {
  response.once('close', onGone);
  if (response.destroyed) onGone();
  return () => response.off('close', onGone);
}
