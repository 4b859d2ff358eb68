// `bridge.ts FILE BACKEND`: Beckon's bridge as a program has it, on the database in FILE.
import { CallbackServer } from '../../../packages/beckon/src/callback-server.ts';
import { reportReady } from '../../http/servers/report.ts';
import { INTERACTION, SESSION } from '../workload.ts';

const [, , file = '', backend = ''] = process.argv;
const server = new CallbackServer(SESSION, backend, 'token', {
  store: `sqlite:${file}`,
  // That a backend is down is what is measured.
  onWarning: () => undefined,
});
await server.start();
server.onCommandComplete(INTERACTION, () => undefined);
reportReady({ url: server.getCallbackUrl(INTERACTION) }, () => server.stop());
