// `restate.ts FOLDER INGRESS ADMIN`: an invocation for each ask, with the question as its input; it waits for an
// awakeable that a person resolves at the ingress. Both use bare keep-alive connections, as beckon-http.ts does.
import { once } from 'node:events';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { ANSWER, REQUEST } from '../../core/workload.ts';
import { Connection } from '../../http/connection.ts';
import { importPeer } from './import-peer.ts';
import { openLanes } from './lanes.ts';
import { serveTurns } from './turns.ts';

interface Context {
  awakeable(): { id: string; promise: Promise<unknown> };
}
interface Restate {
  service(definition: {
    name: string;
    handlers: Record<string, (context: Context, input: { lane: number }) => Promise<unknown>>;
  }): unknown;
  createEndpointHandler(options: { services: unknown[] }): Parameters<typeof createServer>[1];
}

const [, , folder = '', ingress = '', admin = ''] = process.argv;
const restate = await importPeer<Restate>(folder, '@restatedev/restate-sdk');
const lanes = openLanes(() => Connection.open(ingress));
const people: ((id: string) => void)[] = [];

const agent = restate.service({
  name: 'agent',
  handlers: {
    async ask(context, { lane }) {
      const { id, promise } = context.awakeable();
      // Without `ctx.run`, which would cost one more entry of the journal.
      people[lane]?.(id);
      return await promise;
    },
  },
});
const server = createServer(restate.createEndpointHandler({ services: [agent] }));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const registered = await fetch(`${admin}/deployments`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ uri: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
});
if (!registered.ok) throw new Error(`Restate refused the deployment: ${await registered.text()}`);

serveTurns({
  prepare: lanes.prepare,
  async roundTrip(lane) {
    const connections = lanes.get(lane);
    const shown = new Promise<string>((resolve) => {
      people[lane] = resolve;
    });
    const body = JSON.stringify({ lane, request: REQUEST });
    const waiting = connections.agent.send({ method: 'POST', path: '/agent/ask', body });
    const id = await Promise.race([shown, waiting.then(fail)]);
    const path = `/restate/awakeables/${id}/resolve`;
    const answering = connections.person.send({ method: 'POST', path, body: JSON.stringify(ANSWER) });
    const [answered] = await Promise.all([waiting, answering]);
    if (!answered.includes('Deploy')) throw new Error(`Expected the answer, got ${answered}`);
  },
});

function fail(reply: string): never {
  throw new Error(`Expected an invocation that waits, got ${reply}`);
}
