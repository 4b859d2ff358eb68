import { join } from 'node:path';
import { Forwarder } from '../../packages/beckon/src/bridge/forwarder.ts';
import { createHookSink } from '../../packages/beckon/src/bridge/hook-sink.ts';
import { openStore } from '../../packages/beckon/src/open-store.ts';
import { newHookId } from '../../packages/beckon/src/runtime/new-id.ts';
import { systemClock } from '../../packages/beckon/src/runtime/system-clock.ts';
import { compareSamples, type Section } from '../figure.ts';
import { startServer } from '../http/server-process.ts';
import type { Effort } from './effort.ts';
import { HOOK } from './workload.ts';

const SESSIONS = 16;

/** How fast a full outbox reaches a fast backend, beside bare requests of the same size. */
export async function benchDrain(folder: string, effort: Effort): Promise<Section> {
  const backend = await startServer(new URL('./servers/backend.ts', import.meta.url), ['0']);
  const store = await openStore(`sqlite:${join(folder, 'drain.db')}`);
  const samples = { many: [] as number[], one: [] as number[], bare: [] as number[] };
  try {
    const drain = (sessions: number) => drainOutbox(store, { url: backend.url, hooks: effort.drained, sessions });
    await drainOutbox(store, { url: backend.url, hooks: 1000, sessions: SESSIONS });
    await sendBare(backend.url, 1000);
    for (let round = 0; round < effort.drains; round += 1) {
      samples.many.push(await drain(SESSIONS));
      samples.bare.push(await sendBare(backend.url, effort.drained));
      samples.one.push(await drain(1));
    }
  } finally {
    await store.close();
    await backend.stop();
  }
  const beside = { name: `bare fetch, ${SESSIONS} at once`, samples: samples.bare };
  const target = { of: 'value', atLeast: 2000 } as const;
  return {
    name: `Draining an outbox of ${effort.drained.toLocaleString('en')} hooks to a fast backend`,
    figures: [
      compareSamples({ name: `hooks of ${SESSIONS} sessions`, unit: '/s', samples: samples.many, beside, target }),
      compareSamples({ name: 'hooks of one session, in order', unit: '/s', samples: samples.one, beside }),
    ],
    notes: ['Each hook has left the outbox, and its hook.forwarded is on disk, when it counts.'],
  };
}

async function drainOutbox(
  store: Awaited<ReturnType<typeof openStore>>,
  { url, hooks, sessions }: { url: string; hooks: number; sessions: number },
): Promise<number> {
  const sink = createHookSink({ hooks: store.hooks, clock: systemClock, newId: newHookId, destination: url });
  const hook = JSON.parse(HOOK);
  await Promise.all(
    Array.from({ length: hooks }, (_, index) =>
      sink.receive({ sessionId: `session-${index % sessions}`, commandId: 'bench', hook, text: HOOK }),
    ),
  );
  const forwarder = new Forwarder({
    outbox: store.outbox,
    backend: { url, token: 'token' },
    clock: systemClock,
    newId: newHookId,
    log: () => undefined,
  });
  const startedAt = performance.now();
  await forwarder.tick();
  const seconds = (performance.now() - startedAt) / 1000;
  await forwarder.stop();
  const left = await store.outbox.backends();
  if (left.length > 0) throw new Error(`Expected an empty outbox, got ${JSON.stringify(left)}`);
  return hooks / seconds;
}

async function sendBare(url: string, requests: number): Promise<number> {
  let left = requests;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: SESSIONS }, async () => {
      while (left > 0) {
        left -= 1;
        const reply = await fetch(`${url}/api/sessions/bench/events`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: 'Bearer token' },
          body: HOOK,
        });
        await reply.text();
      }
    }),
  );
  return requests / ((performance.now() - startedAt) / 1000);
}
