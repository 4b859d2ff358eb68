import { describeAsker, KIND_NAMES, RISK_NAMES, RISK_SIGNS, toHeadline } from 'beckon/presentation';
import { type Interaction, RISK_LEVELS, type RiskLevel } from 'beckon/protocol';
import { useEffect, useEffectEvent } from 'react';
import { useLocation } from 'wouter';
import { toInteractionPath } from '../interactions/links.ts';
import { useApp } from '../live/app-context.ts';
import { pause } from '../live/pause.ts';
import { risks } from '../risk/risks.ts';
import { useUi } from '../ui/ui-context.ts';
import { closeNotifications, type Message, readPermission, showNotification } from './notification.ts';
import { preferences } from './preferences.ts';
import { playTone } from './sound.ts';
import { texts } from './texts.ts';

/** Several requests that arrive together share one notification. */
const MANY_TAG = 'beckon-many';
/** How long a notification waits for the level, and of how many requests. */
const ASSESS_MS = 2_000;
const MOST_ASSESSED = 20;

/** Reports new requests: by notification and tone while the tab is hidden, by the live region while it is visible. */
export function useNotifications(): void {
  const { inbox } = useApp();
  const { announcer } = useUi();
  const [, navigate] = useLocation();
  const tell = useEffectEvent((arrived: readonly Arrived[]) => {
    const [first] = arrived;
    if (first === undefined) return;
    if (!document.hidden) {
      announcer.say(arrived.length === 1 ? texts.arrived(toTitle(first)) : toCount(arrived, texts.arrivedMany));
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
        onArrived: (interactions) => {
          void assessAll(interactions).then((arrived) =>
            tell(arrived.filter(({ interaction }) => inbox.isPending(interaction.id))),
          );
        },
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

/** A new request, and how much care it needs, if that is known in time. */
interface Arrived {
  interaction: Interaction;
  level: RiskLevel | undefined;
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

/** The headline, with the level in front of it if it needs care. */
function toTitle({ interaction, level }: Arrived): string {
  const headline = toHeadline(interaction);
  return level === undefined || level === 'routine'
    ? headline
    : `${RISK_SIGNS[level]} ${RISK_NAMES[level]}: ${headline}`;
}

function toCount(arrived: readonly Arrived[], say: (count: number) => string): string {
  const dangerous = arrived.filter(({ level }) => level === 'dangerous').length;
  return [say(arrived.length), ...(dangerous > 0 ? [texts.dangerous(dangerous)] : [])].join(', ');
}

// It carries no buttons: whoever decides has opened the request and seen it.
function toMessage(arrived: readonly Arrived[], first: Arrived): Message {
  if (arrived.length > 1) {
    return { title: toCount(arrived, texts.many), body: toTitle(first), tag: MANY_TAG, path: '/' };
  }
  const { interaction } = first;
  return {
    title: toTitle(first),
    body: texts.body(KIND_NAMES[interaction.kind], describeAsker(interaction)),
    tag: interaction.id,
    path: toInteractionPath(interaction.id),
  };
}
