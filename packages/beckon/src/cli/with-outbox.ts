import { connectOutbox } from '../client/connect-outbox.ts';
import type { OutboxControl } from '../core/outbox-control.ts';
import { loadConfig } from '../daemon/config.ts';
import { findDaemon, toStatePath } from '../daemon/daemon-state.ts';
import { createLocalOutbox } from '../daemon/local-outbox.ts';
import { withStore } from '../daemon/local-store.ts';
import { type ClientOptions, findToken, findUrl, RETRY_SECONDS } from './client.ts';

/** Works on the outbox of the Beckon that runs. Where none runs, or a store is named, it works on the store itself. */
export async function withOutbox<Result>(
  options: ClientOptions & { store?: string },
  work: (outbox: OutboxControl) => Promise<Result>,
): Promise<Result> {
  const config = loadConfig({ flags: { host: options.host, port: options.port, store: options.store } });
  const isNamed = config.host.from !== 'default' || config.port.from !== 'default';
  const found = isNamed ? null : await findDaemon(toStatePath(config.home.value));
  if (options.store !== undefined || (!isNamed && found?.liveness !== 'alive')) {
    return withStore(options, ({ outbox }) => work(createLocalOutbox(outbox, config.apiUrl.value)));
  }
  const url = await findUrl(config);
  return work(connectOutbox(url, { token: await findToken(config, url), retryFor: RETRY_SECONDS }));
}
