import { join } from 'node:path';
import { compareSamples, type Figure, type Section, type Target, type Unit } from '../figure.ts';
import { type ServerProcess, startServer } from '../http/server-process.ts';
import type { Effort } from './effort.ts';
import { sendHooks, type Turn } from './load.ts';

const SLOW_MS = 200;
/** Nobody listens there. */
const DOWN = 'http://127.0.0.1:9';

const SCRIPTS = {
  backend: new URL('./servers/backend.ts', import.meta.url),
  bridge: new URL('./servers/bridge.ts', import.meta.url),
  express: new URL('./servers/express.ts', import.meta.url),
};

interface Contender {
  name: string;
  server: ServerProcess;
  turns: Turn[];
}

/**
 * From a hook to its reply: the bridge, which has it on disk by then, beside the document's server, which has forwarded
 * it.
 */
export async function benchReplies(folder: string, effort: Effort, connections: number): Promise<Section> {
  const backends = await Promise.all([0, SLOW_MS].map((delayMs) => startServer(SCRIPTS.backend, [String(delayMs)])));
  const [healthy = '', slow = ''] = backends.map(({ url }) => url);
  const start = async (name: string, script: keyof typeof SCRIPTS, args: readonly string[]): Promise<Contender> => ({
    name,
    server: await startServer(SCRIPTS[script], args),
    turns: [],
  });
  const startBridge = (name: string, backend: string): Promise<Contender> =>
    start(name, 'bridge', [join(folder, `${name.replaceAll(' ', '-')}-${connections}.db`), backend]);
  const bridge = await startBridge('backend healthy', healthy);
  const bridgeSlow = await startBridge(`backend ${SLOW_MS} ms slow`, slow);
  const bridgeDown = await startBridge('backend down', DOWN);
  const express = await start('Express', 'express', [healthy]);
  const expressSlow = await start(`Express, backend ${SLOW_MS} ms slow`, 'express', [slow]);
  const contenders = [bridge, express, bridgeSlow, bridgeDown, expressSlow];
  try {
    // The first seconds are slow for all while the compiler warms up.
    for (const { server } of contenders) await sendHooks(server.url, { connections, seconds: 1 });
    for (let round = 0; round < effort.rounds; round += 1) {
      for (const [index] of contenders.entries()) {
        // Each contender goes first in some round.
        const contender = contenders[(index + round) % contenders.length] ?? bridge;
        contender.turns.push(await sendHooks(contender.server.url, { connections, seconds: effort.sliceSeconds }));
      }
    }
  } finally {
    await Promise.all(contenders.map(({ server }) => server.stop()));
    await Promise.all(backends.map((backend) => backend.stop()));
  }
  const compare = (
    [name, unit, pick]: [name: string, unit: Unit, pick: (turn: Turn) => number],
    mine: Contender,
    other: Contender,
    target?: Target,
  ): Figure =>
    compareSamples({
      name: `${name}, ${mine.name}`,
      unit,
      samples: mine.turns.map(pick),
      beside: { name: other === bridge ? 'the same, backend healthy' : other.name, samples: other.turns.map(pick) },
      ...(target !== undefined && { target }),
    });
  const isSingle = connections === 1;
  const p50 = ['p50', 'ms', ({ p50: ms }: Turn) => ms] satisfies [string, Unit, (turn: Turn) => number];
  const rate = ['hooks', '/s', ({ perSecond }: Turn) => perSecond] satisfies [string, Unit, (turn: Turn) => number];
  // Two runs of the same server differ by a few percent as well.
  const unchanged = { of: 'ratio', atMost: 1.2 } as const;
  return {
    name: `A hook to its reply, on disk by then, ${isSingle ? 'one after another' : `${connections} connections`}`,
    figures: isSingle
      ? [
          compare(p50, bridge, express, { of: 'ratio', atMost: 1 }),
          compare(p50, bridgeSlow, bridge, unchanged),
          compare(p50, bridgeDown, bridge, unchanged),
          compare(p50, bridgeSlow, expressSlow),
          compare(['p99', 'ms', ({ p99 }) => p99], bridge, express),
        ]
      : [
          compare(rate, bridge, express, { of: 'ratio', atLeast: 4 }),
          compare(rate, bridgeSlow, bridge),
          compare(rate, bridgeDown, bridge),
          compare(p50, bridge, express),
        ],
    notes: [
      'Express is the server of the document: it has forwarded the hook when it answers, and keeps nothing. With its backend down it',
      'answers 500, so it is not measured there. The bridge forwards in the background while it is measured.',
    ],
  };
}
