import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Http } from '../../packages/beckon/src/index.ts';
import { tellParent } from '../harness/parent.ts';
import type { Told } from './callback-messages.ts';

// Takes one click, opens a callback that nobody awaits, with a connection that stays, and then has nothing more to do:
// it must end by itself.

const callback = new Http({ port: 0 });
await callback.open();
const awaited = callback.awaitInteraction();
await click(callback.endpoint());
await awaited;
// A second after the event the server lets go by itself.
for (let look = 0; look < 1000 && countSockets() + listResources().length > 0; look += 1) await sleep(10);
const told: Told = { type: 'idle', resources: listResources(), sockets: countSockets() };
tellParent(told);

const forgotten = new Http({ port: 0 });
await forgotten.open();
await click(forgotten.endpoint().replace(forgotten.id, 'unknown'));

function click(url: string): Promise<void> {
  const body = '{"action":"click"}';
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    request(url, { method: 'POST', headers, agent: false }, (response) => {
      response.resume();
      response.on('end', resolve);
    })
      .on('error', reject)
      .end(body);
  });
}

/** Open sockets, also those that do not keep the process alive. */
function countSockets(): number {
  const { libuv } = process.report.getReport() as unknown as { libuv: { type: string; is_active: boolean }[] };
  return libuv.filter(({ type, is_active: isActive }) => type === 'tcp' && isActive).length;
}

/** What keeps this process alive, without the pipes to the parent. */
function listResources(): string[] {
  return process.getActiveResourcesInfo().filter((resource) => resource !== 'PipeWrap');
}
