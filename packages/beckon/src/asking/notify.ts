import type { Asked, Beckon } from '../core/beckon.ts';
import { type AskingOptions, splitOptions } from './asking-options.ts';

/** How to tell people something. */
export interface NotifyOptions extends Omit<AskingOptions<'question'>, 'onAsked' | 'reason' | 'keep'> {
  /** A word or two above the message. Default `For your information`. */
  header?: string | undefined;
  /** The label of the only button. Default `OK`. */
  button?: string | undefined;
}

const STAYS = '1d';

/**
 * Tells people something and does not wait for them. They see the message wherever they see requests, with one button.
 * It goes away when somebody presses it, or after `timeout` (default one day; `null` keeps it until then). Nobody is
 * reminded of it, and it is not passed on, unless you say so: a time policy of the chat does not count. With the id,
 * `beckon.get(id)` says whether somebody has pressed it, and `beckon.supersede(id)` takes it back.
 *
 * `signal` counts until it resolves: aborting rejects with its reason, and takes back what was sent.
 *
 * @example
 * const { id } = await notify(beckon, 'v1.2 is live in production.', { chatId: 'releases' });
 */
export async function notify(beckon: Beckon, message: string, options: NotifyOptions = {}): Promise<Asked<'question'>> {
  const { header = 'For your information', button = 'OK', signal, ...rest } = options;
  const { timeout = STAYS, remindAfter = null, escalate = [] } = rest;
  const { ask } = splitOptions({ ...rest, timeout, remindAfter, escalate });
  signal?.throwIfAborted();
  const asked = await beckon.ask({
    ...ask,
    kind: 'question',
    request: {
      question: message,
      header,
      options: [{ label: button }],
      abilities: { ownWords: false, notes: false },
    },
  });
  if (signal?.aborted === true) {
    await beckon.supersede(asked.id, 'The agent took it back');
    signal.throwIfAborted();
  }
  return asked;
}
