import type { Beckon } from '../core/beckon.ts';
import { toHeadline } from '../presentation/headline.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { answerHere } from '../terminal/answer-here.ts';
import { createEditText } from '../terminal/edit-text.ts';
import { choose, PromptLeft, present } from '../terminal/prompt-context.ts';
import { Screen } from '../terminal/screen.ts';
import { note } from './output.ts';
import { toWho } from './who.ts';

/**
 * Lets the person at this terminal answer, and gives the interaction with the answer. `left`: they pressed Ctrl-C.
 * `closed`: the interaction ended elsewhere, or Beckon refused the answer. The prompt is on stderr, because stdout is
 * for the answer.
 */
export async function promptForAnswer(
  beckon: Beckon,
  asked: Interaction,
  signal: AbortSignal,
): Promise<Interaction | 'closed' | 'left'> {
  const screen = new Screen(process.stdin, process.stderr);
  try {
    const around = asked.context?.hasMore === true ? await beckon.context(asked.id) : null;
    const context = { screen, signal, editText: createEditText(process.env), around };
    const { result, interaction } = await answerHere(asked, context, (answer) =>
      beckon.answer(asked.id, answer, { who: toWho(), via: 'terminal' }),
    );
    return interaction !== null && (result === 'accepted' || result === 'repeated') ? interaction : 'closed';
  } catch (error) {
    if (error instanceof PromptLeft) return signal.aborted ? 'closed' : 'left';
    if (!(error instanceof BeckonError)) throw error;
    note(error.message);
    return 'closed';
  }
}

/** Lists what one decision is about, and asks whether it is meant. Enter alone means no. */
export async function confirmAlike(chosen: readonly Interaction[], isAllow: boolean): Promise<boolean> {
  const screen = new Screen(process.stdin, process.stderr);
  const { signal } = new AbortController();
  const context = { screen, signal, editText: createEditText(process.env) };
  const verb = isAllow ? 'Allow' : 'Deny';
  const count = chosen.length === 1 ? 'this one' : `these ${chosen.length}`;
  const choices = [
    { value: 'no', label: 'No' },
    { value: 'yes', label: `${verb} ${chosen.length === 1 ? 'it' : `all ${chosen.length}`}` },
  ] as const;
  const message = `${verb} ${count}?`;
  const text = chosen.map((interaction) => toHeadline(interaction, Number.POSITIVE_INFINITY)).join('\n');
  try {
    await present(context, message, text, { message, choices });
    return (await choose(context, message, choices)) === 'yes';
  } catch (error) {
    if (!(error instanceof PromptLeft)) throw error;
    return false;
  }
}
