import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { spoolHook } from '../../packages/beckon/src/bridge/spool.ts';
import { openSqliteDriver } from '../../packages/beckon/src/store/sqlite/sqlite-driver.ts';
import { CliBench, type TestDaemon } from '../harness/cli.ts';
import { chooseSeed, Random } from '../harness/random.ts';
import { type BadNetwork, startBadNetwork } from './bad-network.ts';

const HOOKS = 10_000;
const SESSIONS = 20;
const EACH = HOOKS / SESSIONS;
const CUTS = 30;
/** After so many hooks somebody is killed. */
const KILLS: readonly [after: number, who: 'laptop' | 'team'][] = [
  [1500, 'laptop'],
  [3000, 'team'],
  [4500, 'laptop'],
  [6000, 'team'],
  [8000, 'laptop'],
];

let laptopBench: CliBench;
let teamBench: CliBench;
let network: BadNetwork;

beforeEach(async () => {
  [laptopBench, teamBench] = await Promise.all([CliBench.open(), CliBench.open()]);
});
afterEach(async () => {
  await network.close();
  await Promise.all([laptopBench.close(), teamBench.close()]);
});

test('ten thousand hooks reach the team over a bad network, each kept once and in order, while both sides are killed', async () => {
  const seed = chooseSeed();
  const random = new Random(seed);
  network = await startBadNetwork(random, { cuts: CUTS, cutEvery: 200 });
  let team = await upTeam();
  const created = await teamBench.run(['token', 'create', 'laptop', '--role', 'agent']);
  const laptopEnv = { BECKON_API_URL: network.url, BECKON_API_TOKEN: created.stdout.trim() };
  let laptop = await laptopBench.up(['--port', '0', '--log-level', 'error'], { env: laptopEnv });
  const laptopToken = (await laptopBench.run(['token', 'create', 'hooks', '--role', 'agent'])).stdout.trim();

  let posted = 0;
  let killing: Promise<void> = Promise.resolve();
  const kills = [...KILLS];
  const agent = new Agent({ keepAlive: true, maxSockets: SESSIONS });
  const killWhenDue = (): void => {
    const [next] = kills;
    if (next === undefined || posted < next[0]) return;
    kills.shift();
    killing = killing.then(() => (next[1] === 'laptop' ? restartLaptop() : restartTeam()));
  };

  async function restartLaptop(): Promise<void> {
    await kill(laptop);
    laptop = await laptopBench.up(['--port', '0', '--log-level', 'error'], { env: laptopEnv });
  }

  async function restartTeam(): Promise<void> {
    await kill(team);
    team = await upTeam();
  }

  async function upTeam(): Promise<TestDaemon> {
    const daemon = await teamBench.up(['--port', '0', '--log-level', 'error']);
    network.target = daemon.url;
    return daemon;
  }

  /** Sends one hook until it is acknowledged. A reply that was lost is asked for again, under the same key. */
  async function post(session: number, turn: number): Promise<void> {
    const hook = JSON.stringify({ hook_event_name: 'PostToolUse', session_id: `ses_${session}`, turn });
    for (;;) {
      const status = await send(agent, `${laptop.url}/command-complete/int_${session}`, hook, {
        authorization: `Bearer ${laptopToken}`,
        'idempotency-key': `hook_${session}_${turn}`,
      });
      if (status === 200) break;
      expect(status === undefined || status >= 500, `the laptop answered ${status}`).toBe(true);
      await sleep(20);
    }
    posted += 1;
    killWhenDue();
  }

  // The last hooks of each session come while no daemon runs on the laptop.
  const SPOOLED = 10;
  await Promise.all(
    Array.from({ length: SESSIONS }, async (_, session) => {
      for (let turn = 0; turn < EACH - SPOOLED; turn += 1) await post(session, turn);
    }),
  );
  await killing;
  await kill(laptop);
  for (let turn = EACH - SPOOLED; turn < EACH; turn += 1) {
    for (let session = 0; session < SESSIONS; session += 1) {
      spoolHook(join(laptopBench.home, 'spool'), {
        sessionId: `ses_${session}`,
        commandId: `int_${session}`,
        hook: { hook_event_name: 'PostToolUse', session_id: `ses_${session}`, turn },
      });
    }
  }
  laptop = await laptopBench.up(['--port', '0', '--log-level', 'error'], { env: laptopEnv });
  await untilArrived();
  await Promise.all([kill(laptop), kill(team)]);
  agent.destroy();

  expect(kills).toEqual([]);
  expect(network.troubles, `seed ${seed}`).toMatchObject({ cuts: CUTS });
  const expected = Array.from({ length: EACH }, (_, turn) => turn);
  const kept = await readTurns(teamBench);
  for (let session = 0; session < SESSIONS; session += 1) {
    expect(kept.get(`ses_${session}`), `session ${session}, seed ${seed}`).toEqual(expected);
  }
  const log = await read<{ type: string; events: number }>(
    laptopBench,
    `select type, count(*) as events from log where type like 'hook.%' group by type order by type`,
  );
  expect(log).toEqual([
    { type: 'hook.forwarded', events: HOOKS },
    { type: 'hook.received', events: HOOKS },
  ]);

  async function untilArrived(): Promise<void> {
    const admin = await readFile(join(laptopBench.home, 'token'), 'utf8');
    for (const giveUpAt = Date.now() + 240_000; ; await sleep(200)) {
      const reply = await fetch(`${laptop.url}/v1/outbox/destinations`, {
        headers: { authorization: `Bearer ${admin.trim()}` },
      });
      const { items } = (await reply.json()) as { items: unknown[] };
      if (items.length === 0) return;
      if (Date.now() > giveUpAt) throw new Error(`Seed ${seed}: not everything arrived: ${JSON.stringify(items)}`);
    }
  }
}, 300_000);

async function kill({ child, exit }: TestDaemon): Promise<void> {
  child.kill('SIGKILL');
  await exit;
}

/** The status of one POST; nothing where there was no reply. */
function send(agent: Agent, url: string, body: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve) => {
    const outgoing = request(url, {
      method: 'POST',
      agent,
      headers: { 'content-type': 'application/json', ...headers },
    });
    outgoing.on('response', (reply) => {
      reply.resume();
      reply.on('end', () => resolve(reply.statusCode));
      reply.on('error', () => resolve(undefined));
    });
    outgoing.on('error', () => resolve(undefined));
    outgoing.end(body);
  });
}

async function readTurns(bench: CliBench): Promise<Map<string, number[]>> {
  const rows = await read<{ session_id: string; data: string }>(
    bench,
    'select session_id, data from hooks order by seq',
  );
  const turns = new Map<string, number[]>();
  for (const { session_id: session, data } of rows) {
    const { turn } = JSON.parse(data) as { turn: number };
    turns.set(session, [...(turns.get(session) ?? []), turn]);
  }
  return turns;
}

async function read<Row>(bench: CliBench, sql: string): Promise<Row[]> {
  const driver = openSqliteDriver(join(bench.home, 'beckon.db'));
  try {
    return (await driver.all<Row>(sql)).map((row) => ({ ...row }));
  } finally {
    await driver.close();
  }
}
