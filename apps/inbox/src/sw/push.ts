import { PushMessage } from 'beckon/protocol';
import { toInteractionPath } from '../interactions/links.ts';
import { sendProof } from './register.ts';
import { show, showBriefly } from './show.ts';
import { texts } from './texts.ts';
import { isLookedAt } from './windows.ts';
import type { Pushed } from './worker.ts';

/** What ended while its person looks at the page needs no words. */
const GLIMPSE_MS = 300;

/** Shows what a push says. Every push shows something: browsers demand it, and some withdraw the permission. */
export async function handlePush({ data }: Pushed): Promise<void> {
  const message = readMessage(data);
  if (message === null) {
    await show({ title: texts.unreadable, body: texts.unreadableBody, tag: 'beckon', path: '/' });
    return;
  }
  const { title, body, topic: tag } = message;
  switch (message.what) {
    case 'settled': {
      const path = toInteractionPath(message.requestId);
      await showBriefly({ title, body, tag, path }, (await isLookedAt()) ? GLIMPSE_MS : undefined);
      return;
    }
    case 'digest':
    case 'test':
      await show({ title, body, tag, path: '/', isNews: true });
      return;
    case 'over':
      await showBriefly({ title, body, tag, path: '/' }, (await isLookedAt()) ? GLIMPSE_MS : undefined);
      return;
    case 'proof':
      await showBriefly({ title, body, tag, path: '/' });
      await sendProof(message);
      return;
    case 'asked':
    case 'reminded':
    case 'escalated':
    case 'expiring':
      await showRequest(message);
  }
}

async function showRequest(
  message: Extract<PushMessage, { what: 'asked' | 'reminded' | 'escalated' | 'expiring' }>,
): Promise<void> {
  const { what, title, body, topic: tag, requestId, to, risk, isOneTap } = message;
  await show({
    title,
    body,
    tag,
    path: toInteractionPath(requestId),
    requestId,
    // The first notice may arrive twice, after a crash. It then makes no second sound.
    isNews: what !== 'asked',
    isPressing: what === 'expiring' || what === 'escalated' || risk === 'dangerous',
    ...(isOneTap === true && risk === 'routine' && { decides: { to, headline: title } }),
  });
}

/** `null`: it is not ours, or of a Beckon that is much newer than this page. */
function readMessage(data: Pushed['data']): PushMessage | null {
  try {
    return PushMessage.parse(JSON.parse(data?.text() ?? 'null'));
  } catch {
    return null;
  }
}
