import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LogEvent } from '../../packages/beckon/src/protocol/events.ts';
import type { Interaction } from '../../packages/beckon/src/protocol/interaction.ts';
import { type KeptMessage, startNtfy, type TestNtfy } from '../../packages/beckon/src/testing/harness/ntfy-server.ts';
import { CliBench, type TestDaemon } from '../harness/cli.ts';
import { Random } from '../harness/random.ts';
import { soakTimeout, useSeed } from '../harness/soak.ts';

const TOPIC = 'adas-topic';

let bench: CliBench;
let ntfy: TestNtfy;

beforeEach(async () => {
  bench = await CliBench.open();
  ntfy = await startNtfy();
});
afterEach(async () => {
  await bench.close();
  await ntfy.close();
});

function up(port = '0'): Promise<TestDaemon> {
  return bench.up(['--port', port, '--allow-destination', '127.0.0.1']);
}

/** Adds a destination as a person does: the code that arrives is typed. */
async function add(...options: string[]): Promise<string> {
  const added = await bench.run(['notify', 'add', 'ntfy', '--server', ntfy.url, '--topic', TOPIC, ...options]);
  expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining(`Subscribe to ${ntfy.url}/${TOPIC}`) });
  const [, id = ''] = /Added (dst_\S+)\./.exec(added.stdout) ?? [];
  const [, code = ''] = /(\d{8}) is your code/.exec(ntfy.kept.at(-1)?.message ?? '') ?? [];
  const proven = await bench.run(['notify', 'prove', id, code]);
  expect(proven).toMatchObject({ code: 0 });
  return id;
}

function askToRun(command: string) {
  const request = JSON.stringify({ tool: 'Bash', input: { command } });
  return bench.ask(['--kind', 'approval', '--timeout', '10m', '--request', request]);
}

/** The notice about a command, once it has arrived. */
async function arrived(command: string): Promise<KeptMessage> {
  const find = (): KeptMessage | undefined => ntfy.kept.find(({ message }) => message === command);
  await expect.poll(find).toBeDefined();
  return find() as KeptMessage;
}

/** The request, and what happened to it. */
async function show(id: string): Promise<{ interaction: Interaction; log: LogEvent[] }> {
  return JSON.parse((await bench.run(['show', id, '--json'])).stdout);
}

test('from nothing to an answer from a phone: the agent gets it, and the log says where it came from', async () => {
  await up();
  await add('--content', 'headline');
  const asking = await askToRun('npm test');
  await ntfy.press(await arrived('npm test'), 'Allow');
  expect(await bench.finish(asking)).toMatchObject({ code: 0 });
  const { interaction, log } = await show(asking.id);
  expect(interaction.answeredBy).toMatchObject({ who: expect.any(String), via: 'ntfy' });
  expect(log).toContainEqual(expect.objectContaining({ type: 'interaction.delivered', connector: 'ntfy' }));
  await expect.poll(() => ntfy.kept.filter(({ event }) => event === 'message_clear')).toHaveLength(1);
});

test('by default nothing but a link leaves, and nobody can answer without opening it', async () => {
  await up();
  await add();
  const { id } = await askToRun('npm run very-secret-job');
  await expect.poll(() => ntfy.kept.at(-1)?.title).toBe('An agent needs you');
  expect(ntfy.kept.at(-1)?.click).toMatch(new RegExp(`/i/${id}$`));
  expect(JSON.stringify(ntfy.kept)).not.toContain('very-secret-job');
  expect(ntfy.kept.at(-1)).not.toHaveProperty('actions');
  expect(ntfy.streams).toBe(0);
});

test('whenever the daemon is killed, each press counts once: none is lost, and nobody is told twice', {
  timeout: soakTimeout(240_000),
}, async () => {
  const random = new Random(useSeed());
  let daemon = await up();
  const { port } = daemon;
  await add('--content', 'headline');
  // More at once would be one digest.
  const commands = Array.from({ length: 4 }, (_, index) => `npm run job-${index}`);
  const asked = await Promise.all(commands.map(askToRun));
  const messages = await Promise.all(commands.map(arrived));
  for (const [index, { id }] of asked.entries()) {
    const isLate = index % 2 === 1;
    if (isLate) await bench.run(['answer', id, 'deny']);
    await ntfy.press(messages[index], 'Allow');
    await sleep(random.below(60));
    daemon.child.kill('SIGKILL');
    await daemon.exit;
    daemon = await up(port);
    expect((await bench.finish(asked[index] as (typeof asked)[number])).code).toBe(isLate ? 3 : 0);
  }
  for (const [index, { id }] of asked.entries()) {
    const { interaction, log } = await show(id);
    expect(log.filter(({ type }) => type === 'interaction.answered')).toHaveLength(1);
    expect(interaction.answeredBy?.via).toBe(index % 2 === 1 ? 'api' : 'ntfy');
  }
  const told = ntfy.kept.filter(({ tags }) => tags?.[0] === 'information_source').map(({ click }) => click);
  expect(new Set(told).size).toBe(told.length);
  expect(told.every((click) => [asked[1], asked[3]].some((late) => click?.endsWith(`/i/${late?.id}`)))).toBe(true);
});
