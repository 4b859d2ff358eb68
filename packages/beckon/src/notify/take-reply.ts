import type { Beckon } from '../core/beckon.ts';
import type { WayIn } from '../core/notice-outbox.ts';
import type { DestinationRecord } from '../core/notify.ts';
import { maySeeChat } from '../core/told.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { toEndingWords } from './notice-words.ts';
import { type QuickChoice, toQuickChoices } from './quick-choices.ts';
import type { Reply } from './reply-token.ts';

/** Whose button was pressed: the destination, and how its owner can come in. */
export interface Presser {
  destination: DestinationRecord;
  waysIn: readonly WayIn[];
}

/** What the person reads whose press did nothing. */
export interface Told {
  title: string;
  text: string;
}

const VIA = 'ntfy';
const TOO_OLD: Told = {
  title: 'Your button did nothing',
  text: 'It was too old, and the request still waits. Open the link to answer.',
};
const NEEDS_A_LOOK: Told = {
  title: 'Your button did nothing',
  text: 'This request needs a closer look. Open the link to answer.',
};

/**
 * Records the answer of a pressed button, in the name of the destination's owner. It counts only if the request would
 * get the same button now. Gives what to tell the person, or `null` if there is nothing to say.
 */
export async function takeReply(
  beckon: Pick<Beckon, 'get' | 'answer'>,
  { interaction: id, choice, expiresAt }: Reply,
  { destination, waysIn }: Presser,
  now: number,
): Promise<Told | null> {
  const interaction = await beckon.get(id);
  // Somebody who may not see a request hears nothing of it.
  if (interaction === null || !maySeeChat(destination, waysIn, interaction.chatId)) return null;
  const { owner, content } = destination;
  const isPending = interaction.status === 'pending';
  if (isPending && now >= expiresAt * 1000) return TOO_OLD;
  const found = content === 'link' ? undefined : findChoice(interaction, choice);
  if (found === undefined) return isPending ? NEEDS_A_LOOK : toEndingWords(interaction, content);
  try {
    const { result, interaction: after } = await beckon.answer(id, found.answer, { who: owner, via: VIA });
    const isOwn = after?.answeredBy?.who === owner && after.answeredBy.via === VIA;
    if (after === null || result === 'accepted' || (result === 'repeated' && isOwn)) return null;
    return toEndingWords(after, content);
  } catch (error) {
    if (error instanceof BeckonError && error.code === 'invalid_answer') return NEEDS_A_LOOK;
    throw error;
  }
}

// An answer to what has ended is recorded as a late one, so the buttons of before are needed then, too.
function findChoice(interaction: Interaction, choice: string): QuickChoice | undefined {
  return toQuickChoices({ ...interaction, status: 'pending' }).find((offered) => offered.choice === choice);
}
