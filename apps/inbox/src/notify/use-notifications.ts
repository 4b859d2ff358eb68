import { type Interaction, RISK_LEVELS } from 'beckon/protocol';
import { risks } from 'beckon/react/parts';
import { useEffect, useEffectEvent } from 'react';
import { useLocation } from 'wouter';
import { useApp } from '../live/app-context.ts';
import { pause } from '../live/pause.ts';
import { useUi } from '../ui/ui-context.ts';
import { type Arrived, toCount, toTitle } from './arrived.ts';
import { readPermission } from './permission.ts';
import { texts } from './texts.ts';

/** How long a notification waits for the level, and of how many requests. */
const ASSESS_MS = 2_000;
const MOST_ASSESSED = 20;

/** Reports new requests: by notification and tone while the tab is hidden, by the live region while it is visible. */
export function useNotifications(): void {
  const { inbox, me } = useApp();
  const { announcer } = useUi();
  const [, navigate] = useLocation();
  const tell = useEffectEvent((arrived: readonly Arrived[]) => {
    const [first, ...rest] = arrived;
    if (first === undefined) return;
    if (!document.hidden) {
      announcer.say(arrived.length === 1 ? texts.arrived(toTitle(first)) : toCount(arrived, texts.arrivedMany));
      return;
    }
    if (!inbox.connection.isTeller) return;
    import('./tell-hidden.ts')
      .then(({ tellHidden }) => tellHidden([first, ...rest], { who: me.who, onOpen: navigate }))
      .catch(() => undefined);
  });
  useEffect(
    () =>
      inbox.listen({
        onArrived: (interactions) => {
          void assessAll(interactions).then((arrived) =>
            tell(arrived.filter(({ interaction }) => inbox.isPending(interaction.id))),
          );
        },
        onSettled: (ids) => {
          if (readPermission() !== 'granted') return;
          import('./notification.ts').then((shown) => shown.closeNotifications(new Set(ids))).catch(() => undefined);
        },
      }),
    [inbox],
  );
  // Whether this browser is still told by pushes may have changed while the page was closed.
  useEffect(() => {
    void import('./check-this-device.ts').then(({ checkThisDevice }) => checkThisDevice(me.who)).catch(() => undefined);
  }, [me.who]);
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

// The gravest first: that is the one to name.
async function assessAll(interactions: readonly Interaction[]): Promise<Arrived[]> {
  const arrived = await Promise.all(
    interactions.slice(0, MOST_ASSESSED).map(async (interaction): Promise<Arrived> => {
      const risk = await Promise.race([risks.assess(interaction), pause(ASSESS_MS)]);
      return { interaction, level: risk?.level };
    }),
  );
  const rest = interactions.slice(MOST_ASSESSED).map((interaction) => ({ interaction, level: undefined }));
  return [...arrived, ...rest].sort((one, other) => toWeight(other) - toWeight(one));
}

function toWeight({ level }: Arrived): number {
  return level === undefined ? 0 : RISK_LEVELS.indexOf(level);
}
