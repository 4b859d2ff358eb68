import { describeOutcome } from '../presentation/describe-outcome.ts';
import { toHeadline } from '../presentation/headline.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { toLook } from './closing.ts';
import type { Screen } from './screen.ts';
import { wrap } from './text-layout.ts';

/**
 * Says that the open request ended elsewhere, and how. It waits for a key, because the person may be typing: those keys
 * must not go to the next question.
 */
export async function showClosed(
  screen: Screen,
  interaction: Interaction,
  signal: AbortSignal,
): Promise<'back' | 'leave'> {
  if (signal.aborted) return 'leave';
  const { mark, style } = toLook(interaction);
  const draw = (): void =>
    screen.draw([
      screen.line(toHeadline(interaction, 400), 'bold'),
      '',
      ...wrap(`${mark} ${describeOutcome(interaction)}`, screen.columns).map((line) => screen.line(line, style)),
      'Your answer is no longer needed.',
      '',
      screen.line('enter: back to the list', 'dim'),
    ]);
  draw();
  return new Promise((resolve) => {
    const end = (how: 'back' | 'leave'): void => {
      stop();
      signal.removeEventListener('abort', onAbort);
      resolve(how);
    };
    const onAbort = (): void => end('leave');
    const stop = screen.listen(({ name, isCtrl }) => {
      if (isCtrl && name === 'c') end('leave');
      else if (name === 'return' || name === 'enter' || name === 'escape') end('back');
    }, draw);
    signal.addEventListener('abort', onAbort);
  });
}
