import { endLeft } from '../agents/waiting.ts';
import type { Beckon } from '../core/beckon.ts';

/** How often to look for processes that died, in milliseconds. */
const LOOK_MS = 3000;

/** Ends the requests of agents whose process has died while it waited. The returned function stops that. */
export function watchLeft(folder: string, beckon: Beckon, onError: (error: unknown) => void): () => void {
  const look = (): void => void endLeft(folder, (id, reason) => beckon.supersede(id, reason)).catch(onError);
  look();
  const timer = setInterval(look, LOOK_MS);
  return () => clearInterval(timer);
}
