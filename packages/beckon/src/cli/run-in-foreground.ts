import { runConnector } from '../coordinator/run-connector.ts';
import type { Beckon } from '../core/beckon.ts';
import type { Connector } from '../core/connector.ts';
import { note } from './output.ts';

/** Runs a connector until somebody stops the command, and says that it is `ready`. */
export async function runInForeground(beckon: Beckon, connector: Connector, ready: string): Promise<void> {
  const running = await runConnector({ beckon, connector, onError: report });
  note(ready);
  await untilStopped();
  await running.stop();
}

/** Resolves when somebody stops the command. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}

/** How long what was said is not said again. */
const QUIET_MS = 60_000;

/**
 * Says that Beckon was lost. The client tries again by itself, every few seconds, so the same words come once a minute.
 */
export function createLossReport(): (error: unknown) => void {
  let said: { message: string; at: number } | undefined;
  return (error) => {
    const message = error instanceof Error ? error.message : String(error);
    const at = performance.now();
    if (said?.message === message && at - said.at < QUIET_MS) return;
    said = { message, at };
    note(message);
  };
}

/** Says what is wrong. Connectors retry by themselves, so that is enough. */
export function report(error: unknown): void {
  note(error instanceof Error ? error.message : String(error));
}
