import type { Kind, Settled } from '../../protocol/interaction.ts';
import type { OutsideWait } from '../shared/ask-outside.ts';
import type { PiContext } from './pi-types.ts';

/**
 * Who answered first. `nobody`: the person interrupted pi or left its dialog, or there is no terminal and no answer
 * from Beckon.
 */
export type First<K extends Kind> =
  | { by: 'outside'; settled: Extract<Settled<K>, { status: 'answered' }> }
  | { by: 'terminal'; choice: string }
  | { by: 'nobody'; why: string };

/** What the terminal asks, and what people read in Beckon if it was answered there. */
export interface Beside {
  dialog(signal: AbortSignal): Promise<string | undefined>;
  describe(choice: string): string;
}

/** Waits for Beckon and the terminal at once. The first answer counts, and the other place is closed. */
export async function waitForFirst<K extends Kind>(
  wait: OutsideWait<K>,
  { hasUI, signal }: Pick<PiContext, 'hasUI' | 'signal'>,
  { dialog, describe }: Beside,
): Promise<First<K>> {
  const closing = new AbortController();
  const ways: Promise<First<K> | null>[] = [fromOutside(wait, hasUI)];
  if (hasUI) ways.push(fromTerminal(dialog(closing.signal)));
  if (signal !== undefined) ways.push(whenInterrupted(signal, closing.signal));
  try {
    const first = await takeFirst(ways);
    if (first.by === 'terminal') void wait.end(describe(first.choice));
    if (first.by === 'nobody') void wait.end(first.why);
    return first;
  } finally {
    closing.abort();
  }
}

/** Without an answer from Beckon, a terminal goes on asking. */
async function fromOutside<K extends Kind>(wait: OutsideWait<K>, hasUI: boolean): Promise<First<K> | null> {
  const [settled] = (await wait.settled) ?? [];
  if (settled?.status === 'answered') {
    return { by: 'outside', settled: settled as Extract<Settled<K>, { status: 'answered' }> };
  }
  if (hasUI) return null;
  return {
    by: 'nobody',
    why: settled === undefined ? 'Beckon cannot be reached' : `the request was ${settled.status}`,
  };
}

async function fromTerminal(dialog: Promise<string | undefined>): Promise<First<never>> {
  const choice = await dialog;
  return choice === undefined ? { by: 'nobody', why: 'pi’s dialog was left' } : { by: 'terminal', choice };
}

function whenInterrupted(signal: AbortSignal, closing: AbortSignal): Promise<First<never>> {
  return new Promise((resolve) => {
    const leave = (): void => resolve({ by: 'nobody', why: 'The turn was interrupted in pi' });
    if (signal.aborted) return leave();
    signal.addEventListener('abort', leave, { once: true, signal: closing });
  });
}

/** The first that is not `null`. */
function takeFirst<K extends Kind>(ways: readonly Promise<First<K> | null>[]): Promise<First<K>> {
  return new Promise((resolve, reject) => {
    for (const way of ways) way.then((first) => first !== null && resolve(first), reject);
  });
}
