import { connectOutbox } from '../client/connect-outbox.ts';
import type { OutboxControl } from '../core/outbox-control.ts';
import { loadConfig } from '../daemon/config.ts';
import { findDaemon, toStatePath } from '../daemon/daemon-state.ts';
import { createLocalOutbox } from '../daemon/local-outbox.ts';
import { withStore } from '../daemon/local-store.ts';
import { type FoundBeckon, findBeckon } from '../where/find-beckon.ts';
import { type ClientOptions, connect, RETRY_SECONDS, toWhereFlags } from './client.ts';

/** Works on the outbox of the Beckon that runs. Where none runs, or a store is named, it works on the store itself. */
export async function withOutbox<Result>(
  options: ClientOptions & { store?: string },
  work: (outbox: OutboxControl) => Promise<Result>,
): Promise<Result> {
  const config = loadConfig({ flags: { store: options.store } });
  const found = findBeckon({ flags: toWhereFlags(options) });
  if (options.store !== undefined || !(await mayRun(found))) {
    return withStore(options, ({ outbox }) => work(createLocalOutbox(outbox, config.apiUrl.value)));
  }
  const { url, access } = await connect(found);
  return work(connectOutbox(url, { ...access, retryFor: RETRY_SECONDS }));
}

// A Beckon that is named should run, so a failure to reach it is an error.
async function mayRun({ by, home }: FoundBeckon): Promise<boolean> {
  if (by !== 'daemon') return by !== 'default';
  return (await findDaemon(toStatePath(home)))?.liveness === 'alive';
}
