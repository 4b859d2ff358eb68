import type { Asker } from 'beckon/presentation';
import { texts } from './texts.ts';

/** What an agent calls itself, beside the name that Beckon knows it by. Nobody has checked it, and it says so. */
export function AskerClaim({ asker: { claim } }: { asker: Asker }) {
  if (claim === undefined) return null;
  // Its own quotation marks would let it go on outside of ours.
  return <bdi className="font-normal text-muted italic">{texts.claim(claim.replaceAll(/[“”„‟«»]/g, '"'))}</bdi>;
}
