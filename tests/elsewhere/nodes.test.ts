import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestDatabase, usePostgres } from '../../packages/beckon/src/testing/harness/database.ts';
import { until } from '../../packages/beckon/src/testing/suites/until.ts';
import { type BadLine, openBadLine } from '../harness/bad-line.ts';
import { Random } from '../harness/random.ts';
import { repeat, soakTimeout, useSeed } from '../harness/soak.ts';
import { denial, permission, TwoMachines } from './two-machines.ts';

const createDatabase = usePostgres();
let database: TestDatabase;
let machines: TwoMachines;
let lines: BadLine[];
beforeEach(async () => {
  database = await createDatabase();
  machines = await TwoMachines.open({ BECKON_STORE: database.url });
  lines = [];
});
afterEach(async () => {
  await Promise.all(lines.map((line) => line.close()));
  await machines.close();
  await database.dispose();
});

test('behind a balancer, attempts of one question reach two nodes, one of which is killed, and it stays one question', {
  timeout: soakTimeout(180_000),
}, async () => {
  const random = new Random(useSeed());
  const env = { BECKON_STORE: database.url, BECKON_HOME: join(machines.server.folder, 'other') };
  const other = await machines.server.up(['--port', '0', '--log-level', 'error'], { env });
  const nodes = [machines.daemon.url, other.url];
  const ask = async (round: number): Promise<void> => {
    const session = `round-${round}`;
    const line = await openBadLine(random.pick(nodes));
    lines.push(line);
    const balancing = setInterval(() => {
      line.target = random.pick(nodes);
    }, 100);
    const run = machines.hook(line.url, permission(session, `echo ${session}`));
    const { id } = await machines.asked(session);
    await sleep(random.below(8000));
    const { result } = await machines.beckon.answer(
      id,
      { decision: 'deny', message: session },
      { who: 'ana', via: 'x' },
    );
    expect(result).toBe('accepted');
    expect(await machines.laptop.finish(run)).toEqual({ code: 0, stdout: denial(session), stderr: '' });
    clearInterval(balancing);
  };
  const asking = Promise.all(Array.from({ length: repeat(8) }, (_, round) => ask(round)));
  await sleep(3500);
  other.child.kill('SIGKILL');
  nodes.pop();
  for (const line of lines) line.target = machines.daemon.url;
  await asking;
  const { items } = await until(() => machines.beckon.list({ limit: 200 }));
  expect(items).toHaveLength(repeat(8));
  expect(new Set(items.map(({ status }) => status))).toEqual(new Set(['answered']));
});
