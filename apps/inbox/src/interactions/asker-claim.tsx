import type { Asker } from 'beckon/presentation';
import { texts } from './texts.ts';

/** The name that an agent gives itself, marked as unchecked. */
export function AskerClaim({ asker: { claim } }: { asker: Asker }) {
  if (claim === undefined) return null;
  // Quotation marks in the name could pretend to end ours.
  return <bdi className="font-normal text-muted italic">{texts.claim(claim.replaceAll(/[“”„‟«»]/g, '"'))}</bdi>;
}
