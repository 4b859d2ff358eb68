import { setTimeout as sleep } from 'node:timers/promises';
import type { NoticeSender } from '../../packages/beckon/src/core/notify.ts';
import { createGuardedFetch } from '../../packages/beckon/src/notify/guarded-fetch.ts';
import { Notify } from '../../packages/beckon/src/notify/notify.ts';
import { openStore } from '../../packages/beckon/src/open-store.ts';
import type { TimePolicy } from '../../packages/beckon/src/protocol/time-policy.ts';
import { Deadlines } from '../../packages/beckon/src/runtime/deadlines.ts';
import { newDestinationId } from '../../packages/beckon/src/runtime/new-id.ts';
import { systemClock } from '../../packages/beckon/src/runtime/system-clock.ts';
import { ADA, createQuestion } from '../../packages/beckon/src/testing/suites/samples.ts';
import { hearParent, readData, tellParent } from '../harness/parent.ts';

// Plans and sends notices as a daemon does, until it is killed. The receiver is a server of the parent, in the place of
// a push service.

/** What the parent asks for. */
export type NotifyAsked =
  | { type: 'start' }
  | { type: 'ask'; ids: readonly string[]; chatId?: string; times?: TimePolicy }
  | { type: 'fire' }
  | { type: 'answer'; ids: readonly string[] };
export type NotifyTold = { type: 'ready' } | { type: 'asked' } | { type: 'answered' };

const { store: url, receiver } = readData<{ store: string; receiver: string }>();
const parent = hearParent<NotifyAsked>();
const tell: (told: NotifyTold) => void = tellParent;
const store = await openStore(url);
const guarded = createGuardedFetch({ allow: ['127.0.0.1'] });
const sender: NoticeSender = {
  send: async ({ destination, what, id, topic, ...rest }, signal) => {
    const interactionId = 'interaction' in rest ? rest.interaction?.id : undefined;
    const body = JSON.stringify({ destination: destination.id, what, id, topic, interactionId });
    const headers = { 'content-type': 'application/json' };
    try {
      const { status } = await guarded.send({ url: receiver, method: 'POST', headers, body, signal });
      return status === 200 ? { result: 'sent' } : { result: 'failed', error: `HTTP ${status}`, retryAfterMs: 0 };
    } catch (error) {
      return { result: 'failed', error: (error as Error).message, retryAfterMs: 0 };
    }
  },
  close: async () => undefined,
};
const notify = new Notify(
  {
    store,
    senders: { ntfy: sender },
    clock: systemClock,
    toLink: (path) => `https://beckon.example${path}`,
    log: () => undefined,
  },
  {
    newId: newDestinationId,
    onError: (error) => {
      throw error;
    },
  },
);
tell({ type: 'ready' });
await Promise.all([startWhenTold(), askWhenTold(), answerWhenTold(), fireWhenTold()]);

async function startWhenTold(): Promise<void> {
  await parent.take('start');
  await notify.start();
}

async function askWhenTold(): Promise<never> {
  for (;;) {
    const { ids, chatId = 'default', times } = await parent.take('ask');
    const createdAt = new Date().toISOString();
    await Promise.all(ids.map((id) => store.ask(createQuestion({ id, chatId, createdAt }), undefined, times)));
    tell({ type: 'asked' });
  }
}

/** Reminds and passes on what is due, again and again. */
async function fireWhenTold(): Promise<never> {
  await parent.take('fire');
  const onError = (error: unknown): never => {
    throw error;
  };
  const deadlines = new Deadlines({ store, clock: systemClock, onError });
  for (;;) {
    await deadlines.tick();
    // SQLite never lets anybody else in by itself.
    await sleep(1);
  }
}

async function answerWhenTold(): Promise<never> {
  for (;;) {
    const { ids } = await parent.take('answer');
    const at = new Date().toISOString();
    await Promise.all(ids.map((id) => store.recordAnswer({ id, answer: { text: 'yes' }, by: ADA, at })));
    tell({ type: 'answered' });
  }
}
