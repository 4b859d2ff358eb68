import { type Footprint, takeFootprint } from '../../footprint.ts';

/** What the benchmark asks a server's process. */
export type Question = 'footprint' | 'cpu';

/** What the process says. */
export type Report =
  | { type: 'ready'; url: string; token: string }
  | { type: 'footprint'; footprint: Footprint }
  | { type: 'cpu'; cpuMs: number };

/**
 * Tells the benchmark that this process accepts requests, and answers its questions until it lets go. Then `stop` is
 * called.
 */
export function reportReady(ready: { url: string; token?: string }, stop: () => Promise<void> | void): void {
  process.on('message', (question: Question) => void answer(question));
  process.on('disconnect', () => void Promise.resolve(stop()).finally(() => process.exit()));
  send({ type: 'ready', url: ready.url, token: ready.token ?? '' });
}

async function answer(question: Question): Promise<void> {
  switch (question) {
    case 'footprint':
      return send({ type: 'footprint', footprint: await takeFootprint() });
    case 'cpu': {
      const { user, system } = process.cpuUsage();
      return send({ type: 'cpu', cpuMs: (user + system) / 1000 });
    }
  }
}

function send(report: Report): void {
  if (process.send === undefined) throw new Error('Start this process with an IPC channel.');
  process.send(report);
}
