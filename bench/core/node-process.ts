// One node of several on a Postgres, in a process of its own: `node-process.ts URL AT_ONCE MILLISECONDS WARM_UP`. It
// says `ready` when it is warm, begins when it reads a line, and prints its round trips a second.
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { openBeckon } from '../../packages/beckon/src/open-beckon.ts';
import { runLanes } from './round-trip.ts';

const [url = '', atOnce, sliceMs, warmUpMs] = process.argv.slice(2);
const beckon = await openBeckon({ store: url });
const lines = createInterface({ input: process.stdin });
await runLanes(beckon, { atOnce: Number(atOnce), sliceMs: Number(warmUpMs) });
console.log('ready');
await once(lines, 'line');
console.log(await runLanes(beckon, { atOnce: Number(atOnce), sliceMs: Number(sliceMs) }));
lines.close();
await beckon.close();
