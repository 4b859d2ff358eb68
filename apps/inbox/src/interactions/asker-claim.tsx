import { toAsker, toPlace } from 'beckon/presentation';
import type { Interaction } from 'beckon/protocol';
import { texts } from './texts.ts';

/** The name that an agent gives itself, marked as unchecked. The line about its place has it, if there is one. */
export function AskerClaim({ interaction }: { interaction: Interaction }) {
  const { claim } = toAsker(interaction);
  if (claim === undefined || toPlace(interaction).agent !== undefined) return null;
  // Quotation marks in the name could pretend to end ours.
  return <bdi className="font-normal text-muted italic">{texts.claim(claim.replaceAll(/[“”„‟«»]/g, '"'))}</bdi>;
}
