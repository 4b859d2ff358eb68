// `dbos.ts FOLDER DATABASE`: a workflow for each ask, with the question as its input; it waits with `DBOS.recv` for
// what a person sends with `DBOS.send`.
import { ANSWER, REQUEST } from '../../core/workload.ts';
import { importPeer } from './import-peer.ts';
import { serveTurns } from './turns.ts';

type Ask = (request: typeof REQUEST) => Promise<unknown>;
interface Dbos {
  setConfig(config: { name: string; systemDatabaseUrl: string; logLevel: string }): void;
  registerWorkflow(ask: Ask, options: { name: string }): Ask;
  launch(): Promise<void>;
  startWorkflow(ask: Ask): (request: typeof REQUEST) => Promise<{ workflowID: string; getResult(): Promise<unknown> }>;
  recv(topic: string, timeoutSeconds: number): Promise<unknown>;
  send(workflowId: string, message: unknown, topic: string): Promise<void>;
}

const [, , folder = '', database = ''] = process.argv;
const { DBOS } = await importPeer<{ DBOS: Dbos }>(folder, '@dbos-inc/dbos-sdk');
DBOS.setConfig({ name: 'bench', systemDatabaseUrl: database, logLevel: 'error' });
const ask = DBOS.registerWorkflow(async () => DBOS.recv('answer', 300), { name: 'ask' });
await DBOS.launch();

serveTurns({
  async roundTrip() {
    const waiting = await DBOS.startWorkflow(ask)(REQUEST);
    await DBOS.send(waiting.workflowID, ANSWER, 'answer');
    if ((await waiting.getResult()) === null) throw new Error('Expected an answer');
  },
});
