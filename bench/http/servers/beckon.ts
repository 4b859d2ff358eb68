// `beckon.ts FILE`: the daemon as `beckon up` starts it, on the database in FILE.
import { startDaemon } from '../../../packages/beckon/src/daemon/daemon.ts';
import { createLogger } from '../../../packages/beckon/src/daemon/logger.ts';
import { DEFAULT_TIMEOUT_SECONDS } from '../../../packages/beckon/src/protocol/limits.ts';
import { reportReady } from './report.ts';

const daemon = await startDaemon({
  store: `sqlite:${process.argv[2]}`,
  host: '127.0.0.1',
  port: 0,
  timeoutMs: DEFAULT_TIMEOUT_SECONDS * 1000,
  allowedHosts: [],
  version: '0.0.0',
  logger: await createLogger(process.stdout, 'info'),
});
const token = await daemon.tokens.create({ name: 'bench', role: 'admin' });
reportReady({ url: daemon.url, token }, () => daemon.stop());
