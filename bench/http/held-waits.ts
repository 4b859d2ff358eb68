import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { compareSamples, type Section, type Unit } from '../figure.ts';
import { Connection } from './connection.ts';
import type { Effort } from './effort.ts';
import { startServer } from './server-process.ts';
import { createBareSubject, createBeckonSubject, type Subject } from './subjects.ts';

/** What one process showed: bytes for each wait, and milliseconds until the last waiter had its reply. */
interface Probe {
  heap: number;
  rss: number;
  wakeMs: number;
}

const WARM_UP_WAITS = 300;

/** Requests that wait for an outcome, all held at once in a fresh process and then woken together. */
export async function benchHeldWaits(folder: string, { waits, processes }: Effort): Promise<Section> {
  const beckon: Probe[] = [];
  const bare: Probe[] = [];
  for (let turn = 0; turn < processes; turn += 1) {
    const server = await startServer('beckon', [join(folder, `waits-${turn}.db`)]);
    beckon.push(await probe(createBeckonSubject(server), waits));
    bare.push(await probe(createBareSubject(await startServer('bare')), waits));
  }
  const compare = (name: string, unit: Unit, pick: (probed: Probe) => number) =>
    compareSamples({
      name,
      unit,
      samples: beckon.map(pick),
      beside: { name: 'bare node:http', samples: bare.map(pick) },
    });
  return {
    name: `${waits.toLocaleString('en')} held waits, each a request on a connection of its own`,
    figures: [
      compare('heap for each', 'bytes', ({ heap }) => heap),
      compare('process for each', 'bytes', ({ rss }) => rss),
      compare('until the last is woken', 'ms', ({ wakeMs }) => wakeMs),
    ],
    notes: [
      'Memory with the connection and its request, after garbage collection. One cancel of their chat settles them all on disk;',
      'the bare server keeps the requests in a set, and one request releases them.',
    ],
  };
}

async function probe(subject: Subject, waits: number): Promise<Probe> {
  const { server } = subject;
  const control = await Connection.open(server.url);
  const wakeAll = () => control.send({ method: 'POST', token: server.token, ...subject.wakeAll });
  try {
    // What the first waits load and compile is not the memory of a wait.
    const first = await holdAll(subject, control, await subject.prepareWaits(WARM_UP_WAITS));
    await wakeAll();
    await first.allWoken;
    first.close();
    const paths = await subject.prepareWaits(waits);
    const before = await server.takeFootprint();
    const held = await holdAll(subject, control, paths);
    const after = await server.takeFootprint();
    const startedAt = performance.now();
    await Promise.all([wakeAll(), held.allWoken]);
    const wakeMs = performance.now() - startedAt;
    held.close();
    return { heap: (after.heap - before.heap) / waits, rss: (after.rss - before.rss) / waits, wakeMs };
  } finally {
    control.close();
    await server.stop();
  }
}

/** Sends one request for each path, and returns when the server holds them all. */
async function holdAll(
  { server: { url, token }, heldPath }: Subject,
  control: Connection,
  paths: readonly string[],
): Promise<{ allWoken: Promise<unknown>; close(): void }> {
  const connections = await Connection.openMany(url, paths.length);
  const allWoken = Promise.all(
    connections.map((connection, index) => connection.send({ method: 'GET', path: paths[index] ?? '', token })),
  );
  // It is awaited later; until then a failure must not end the process without a word.
  allWoken.catch(() => undefined);
  const countHeld = async () =>
    Number(/^beckon_waits_held (\d+)/m.exec(await control.send({ method: 'GET', path: heldPath, token }))?.[1]);
  while ((await countHeld()) < paths.length) await sleep(20);
  return {
    allWoken,
    close() {
      for (const connection of connections) connection.close();
    },
  };
}
