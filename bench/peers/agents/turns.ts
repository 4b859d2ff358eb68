import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { toPercentile } from '../../http/percentile.ts';

/** What the benchmark orders: so many agents at once, for so long. */
export interface Order {
  atOnce: number;
  sliceMs: number;
}

/** What the agents' process says. `asked` is the path that the person posts their answer to. */
export type Report =
  | { type: 'ready'; url?: string }
  | { type: 'asked'; path: string }
  | { type: 'turn'; roundTrips: number; tookMs: number; p50Ms: number };

/** Agents that ask, wait and ask again. */
export interface Agents {
  /** Where people answer, if they come from the benchmark's process. */
  url?: string;
  /** Opens what a turn with so many agents needs; its time is not measured. */
  prepare?(atOnce: number): Promise<void>;
  /** From the ask of agent number `lane` until it has its answer. */
  roundTrip(lane: number): Promise<void>;
}

// The standard output belongs to the peers' own logs, so reports have a pipe of their own.
const reports = new Socket({ fd: 3 });

/** Tells the benchmark, which plays the people, that an agent waits. */
export function tellPeople(path: string): void {
  report({ type: 'asked', path });
}

/** Runs each turn that the benchmark orders, and ends the process when the benchmark lets go. */
export function serveTurns(agents: Agents): void {
  reports.on('error', () => process.exit());
  createInterface({ input: process.stdin })
    .on('line', (line) => void runTurn(agents, JSON.parse(line) as Order).then(report))
    // It is in the middle of its work, and nothing of it is needed.
    .on('close', () => process.exit());
  report({ type: 'ready', ...(agents.url !== undefined && { url: agents.url }) });
}

async function runTurn(agents: Agents, { atOnce, sliceMs }: Order): Promise<Report> {
  await agents.prepare?.(atOnce);
  const latencies: number[] = [];
  const startedAt = performance.now();
  const runAgent = async (lane: number): Promise<void> => {
    do {
      const askedAt = performance.now();
      await agents.roundTrip(lane);
      latencies.push(performance.now() - askedAt);
    } while (performance.now() < startedAt + sliceMs);
  };
  await Promise.all(Array.from({ length: atOnce }, (_, lane) => runAgent(lane)));
  const tookMs = performance.now() - startedAt;
  return { type: 'turn', roundTrips: latencies.length, tookMs, p50Ms: toPercentile(latencies, 50) };
}

function report(value: Report): void {
  reports.write(`${JSON.stringify(value)}\n`);
}
