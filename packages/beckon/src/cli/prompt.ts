import type { Beckon } from '../core/beckon.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { answerHere } from '../terminal/answer-here.ts';
import { createEditText } from '../terminal/edit-text.ts';
import { PromptLeft } from '../terminal/prompt-context.ts';
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
