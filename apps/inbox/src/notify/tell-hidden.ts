import { describeRequest } from 'beckon/presentation';
import { toInteractionPath } from '../interactions/links.ts';
import { type Arrived, toCount, toTitle } from './arrived.ts';
import { isPushed } from './kept-push.ts';
import { type Message, showNotification } from './notification.ts';
import { readPermission } from './permission.ts';
import { preferences } from './preferences.ts';
import { playTone } from './sound.ts';
import { texts } from './texts.ts';

/** Several requests that arrive together share one notification. */
const MANY_TAG = 'beckon-many';

/** Tells of new requests while the page is hidden: by tone and notification, as the person has chosen. */
export async function tellHidden(
  arrived: readonly [Arrived, ...Arrived[]],
  { who, onOpen }: { who: string; onOpen: (path: string) => void },
): Promise<void> {
  const { hasNotifications, hasSound } = preferences.get();
  // The settings already say so if the browser refuses either.
  if (hasSound) playTone().catch(() => undefined);
  if (!hasNotifications || readPermission() !== 'granted') return;
  // What is pushed to this browser is not said twice.
  if (await isPushed(who).catch(() => false)) return;
  await showNotification(toMessage(arrived), onOpen);
}

// It carries no buttons: whoever decides has opened the request and seen it.
function toMessage(arrived: readonly [Arrived, ...Arrived[]]): Message {
  const [first] = arrived;
  const { interaction } = first;
  if (arrived.length > 1) {
    return { title: toCount(arrived, texts.many), body: toTitle(first), tag: MANY_TAG, path: '/' };
  }
  return {
    title: toTitle(first),
    body: describeRequest(interaction),
    tag: interaction.id,
    path: toInteractionPath(interaction.id),
  };
}
