import { setTimeout as sleep } from 'node:timers/promises';
import type { Notice, NoticeSender } from '../../packages/beckon/src/core/notify.ts';
import { connectBeckon, type Interaction } from '../../packages/beckon/src/index.ts';
import { createGuardedFetch } from '../../packages/beckon/src/notify/guarded-fetch.ts';
import { LINGER_MS } from '../../packages/beckon/src/notify/planner.ts';
import { createNtfySender } from '../../packages/beckon/src/notify/senders/ntfy.ts';
import { createPushSender } from '../../packages/beckon/src/notify/senders/push.ts';
import { openVapidKeys } from '../../packages/beckon/src/notify/vapid-keys.ts';
import { systemClock } from '../../packages/beckon/src/runtime/system-clock.ts';
import { startBeckon } from '../beckon-process.ts';
import { REQUEST } from '../core/workload.ts';
import { compareSamples, type Figure, type Section } from '../figure.ts';
import { toPercentile } from '../http/percentile.ts';
import { addDestinations } from './add-destinations.ts';
import type { Effort } from './effort.ts';
import { KINDS, type Kind, type Receiver } from './receiver.ts';

/** More within a minute would become a digest. */
const ASKS_EACH = 4;
const WARM_UP_ASKS = 12;
/** So that an ask does not meet what the one before it left to do. */
const PAUSE_MS = 30;
const NOBODY = 'nobody';
const LABELS: Record<Kind, string> = { push: 'Web Push', ntfy: 'ntfy' };

/** What was measured of one ask, in milliseconds. */
interface Sample {
  /** From the call of `ask` until the receiving service has the notice. */
  handedOver: number;
  /** The part of it after `ask` has returned. */
  afterAsk: number;
  /** The same ask of which nobody is told, until it has returned. */
  plain: number;
  /** The sender alone, from its call until the service has the notice. */
  sender: number;
  /** A bare `fetch` of a notice's size. */
  bare: number;
}

/** From an ask until its notice is with the service that delivers it. */
export async function benchHandedOver({
  home,
  store,
  args = [],
  receiver,
  effort,
}: {
  home: string;
  store: string;
  args?: readonly string[];
  receiver: Receiver;
  effort: Effort;
}): Promise<Section> {
  const rounds = WARM_UP_ASKS + effort.asks;
  const daemon = await startBeckon(home, ['--allow-destination', '127.0.0.1', ...args]);
  const beckon = connectBeckon(daemon.url, { token: daemon.token });
  const samples: Record<Kind, Sample[]> = { push: [], ntfy: [] };
  const guarded = createGuardedFetch({ allow: ['127.0.0.1'] });
  const toName = (kind: Kind, round: number): string => `${store}-${kind}-${Math.floor(round / ASKS_EACH)}`;
  const ask = (chatId: string) => beckon.ask({ kind: 'question', chatId, request: REQUEST, timeout: null });
  try {
    const names = KINDS.flatMap((kind) =>
      Array.from({ length: Math.ceil(rounds / ASKS_EACH) }, (_, index) => ({
        kind,
        name: toName(kind, index * ASKS_EACH),
      })),
    );
    await addDestinations(
      daemon,
      receiver,
      names.map((one) => ({ ...one, chats: [one.name] })),
    );
    const senders = await createSenders(guarded);
    for (let round = 0; round < rounds; round += 1) {
      for (const kind of KINDS) {
        const name = toName(kind, round);
        const handing = receiver.next(name);
        const startedAt = performance.now();
        const interaction = await ask(name);
        const askedAt = performance.now();
        const { at, body } = await handing;
        await sleep(PAUSE_MS);
        const sample = {
          handedOver: at - startedAt,
          afterAsk: at - askedAt,
          plain: await time(() => ask(NOBODY)),
          sender: await timeSender(senders[kind], toNotice(kind, receiver.draft(kind, 'alone'), interaction), receiver),
          bare: await timeBare(kind, receiver, body),
        };
        samples[kind].push(sample);
        await sleep(PAUSE_MS);
      }
    }
  } finally {
    await beckon.close();
    await guarded.close();
    await daemon.stop();
  }
  return {
    name: `From ask to notice handed over, ${effort.asks} one after another, on ${store}`,
    figures: KINDS.flatMap((kind) => toFigures(LABELS[kind], samples[kind].slice(WARM_UP_ASKS))),
    notes: [
      'From the call of ask until the service that delivers the notice has its last byte, over plain HTTP on loopback.',
      `After an ask is on disk, the planner waits ${LINGER_MS} ms for others; then planning and claiming are a commit each.`,
    ],
  };
}

function toFigures(label: string, samples: readonly Sample[]): Figure[] {
  const compare = (name: string, percent: number, pick: keyof Sample, beside: string, other: keyof Sample) =>
    compareSamples({
      name: `${label}: ${name}, p${percent}`,
      unit: 'ms',
      samples: [
        toPercentile(
          samples.map((sample) => sample[pick]),
          percent,
        ),
      ],
      beside: {
        name: beside,
        samples: [
          toPercentile(
            samples.map((sample) => sample[other]),
            percent,
          ),
        ],
      },
    });
  return [50, 99].flatMap((percent) => [
    compare('ask to handed over', percent, 'handedOver', 'the ask alone', 'plain'),
    compare('of that, after the ask returned', percent, 'afterAsk', 'the ask alone', 'plain'),
    compare('the sender alone', percent, 'sender', 'a bare fetch', 'bare'),
  ]);
}

async function createSenders(guarded: ReturnType<typeof createGuardedFetch>): Promise<Record<Kind, NoticeSender>> {
  const clock = systemClock;
  const kept = { find: async () => null, keep: async ({ value }: { value: string }) => value };
  return {
    push: createPushSender({ guarded, clock, keys: await openVapidKeys(kept, new Date().toISOString()) }),
    ntfy: createNtfySender({ guarded, clock, secret: 'bench' }),
  };
}

/** What the worker hands to a sender. */
function toNotice(kind: Kind, secret: object, interaction: Interaction): Notice {
  const when = { after: 0, evenInSight: false };
  const destination = { id: 'dst_bench', kind, owner: 'ada', label: 'bench', target: 'bench', filter: {}, when };
  return {
    what: 'asked',
    destination: {
      ...destination,
      content: 'link',
      isOn: true,
      createdAt: interaction.createdAt,
      secret: { ...secret },
    },
    interaction,
    risk: 'routine',
    topic: 'bench',
    id: 'ntc_bench',
    url: 'http://127.0.0.1/',
    ttlSeconds: 300,
  };
}

async function timeSender(sender: NoticeSender, notice: Notice, receiver: Receiver): Promise<number> {
  const arriving = receiver.next('alone');
  const startedAt = performance.now();
  const { result } = await sender.send(notice, AbortSignal.timeout(15_000));
  if (result !== 'sent') throw new Error(`Expected the notice to be sent, got ${result}`);
  return (await arriving).at - startedAt;
}

async function timeBare(kind: Kind, receiver: Receiver, body: Buffer): Promise<number> {
  const name = kind === 'push' ? 'bare' : (JSON.parse(body.toString()) as { topic: string }).topic;
  const arriving = receiver.next(name);
  const startedAt = performance.now();
  await fetch(`${receiver.url}/${kind === 'push' ? name : ''}`, { method: 'POST', body: new Uint8Array(body) });
  return (await arriving).at - startedAt;
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
