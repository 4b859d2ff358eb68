// `beckon-callback.ts FILE PORT`: callbacks on a Beckon in the agents' process; people post their clicks over HTTP.
import { Http, openBeckon } from '../../../packages/beckon/src/index.ts';
import { serveTurns, tellPeople } from './turns.ts';

const [, , file = '', port = '0'] = process.argv;
const beckon = await openBeckon({ store: `sqlite:${file}` });
let count = 0;
// The first one starts the server, which stays for all of them.
await new Http({ beckon, id: 'first', port: Number(port) }).open(null);

serveTurns({
  url: `http://127.0.0.1:${port}`,
  async roundTrip() {
    count += 1;
    const callback = new Http({ beckon, id: `c-${count}`, port: Number(port) });
    await callback.open(null, { timeout: '1h' });
    tellPeople(new URL(callback.endpoint()).pathname);
    await callback.awaitInteraction('1h');
  },
});
