import { describeAsker, KIND_NAMES, toHeadline } from 'beckon/presentation';
import type { Interaction } from 'beckon/protocol';
import { useEffect, useEffectEvent } from 'react';
import { useLocation } from 'wouter';
import { toInteractionPath } from '../interactions/links.ts';
import { useApp } from '../live/app-context.ts';
import { useUi } from '../ui/ui-context.ts';
import { closeNotifications, type Message, readPermission, showNotification } from './notification.ts';
import { preferences } from './preferences.ts';
import { playTone } from './sound.ts';
import { texts } from './texts.ts';

/** Several requests that arrive together share one notification. */
const MANY_TAG = 'beckon-many';

/** Reports new requests: by notification and tone while the tab is hidden, by the live region while it is visible. */
export function useNotifications(): void {
  const { inbox } = useApp();
  const { announcer } = useUi();
  const [, navigate] = useLocation();
  const onArrived = useEffectEvent((arrived: readonly Interaction[]) => {
    const [first] = arrived;
    if (first === undefined) return;
    if (!document.hidden) {
      announcer.say(arrived.length === 1 ? texts.arrived(toHeadline(first)) : texts.arrivedMany(arrived.length));
      return;
    }
    if (!inbox.connection.isTeller) return;
    const { hasNotifications, hasSound } = preferences.get();
    // The settings already say so if the browser refuses either.
    if (hasSound) playTone().catch(() => undefined);
    if (hasNotifications && readPermission() === 'granted') {
      showNotification(toMessage(arrived, first), (path) => navigate(path)).catch(() => undefined);
    }
  });
  useEffect(
    () =>
      inbox.listen({
        onArrived,
        onSettled: (ids) => {
          if (readPermission() === 'granted') closeNotifications(new Set(ids)).catch(() => undefined);
        },
      }),
    [inbox],
  );
  // The service worker reports a click on its notification as a message.
  useEffect(() => {
    const worker = navigator.serviceWorker;
    if (worker === undefined) return;
    const onMessage = (event: MessageEvent<{ open?: unknown } | null>): void => {
      const path = event.data?.open;
      if (typeof path === 'string' && path.startsWith('/')) navigate(path);
    };
    worker.addEventListener('message', onMessage);
    return () => worker.removeEventListener('message', onMessage);
  }, [navigate]);
}

function toMessage(arrived: readonly Interaction[], first: Interaction): Message {
  if (arrived.length > 1) {
    return { title: texts.many(arrived.length), body: toHeadline(first), tag: MANY_TAG, path: '/' };
  }
  return {
    title: toHeadline(first),
    body: texts.body(KIND_NAMES[first.kind], describeAsker(first)),
    tag: first.id,
    path: toInteractionPath(first.id),
  };
}
