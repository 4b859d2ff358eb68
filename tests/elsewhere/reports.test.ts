import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../packages/beckon/src/testing/suites/until.ts';
import { type BadLine, openBadLine } from '../harness/bad-line.ts';
import type { Ended } from '../harness/cli.ts';
import { Random } from '../harness/random.ts';
import { repeat, soakTimeout, useSeed } from '../harness/soak.ts';
import { permission, TwoMachines } from './two-machines.ts';

/** How many reports wait while their sender is killed. */
const REPORTS = repeat(12);
const LIMIT_MS = soakTimeout(180_000);
const NOTHING: Ended = { code: 0, stdout: '', stderr: '' };

let machines: TwoMachines;
let line: BadLine;
beforeEach(async () => {
  machines = await TwoMachines.open();
  line = await openBadLine(machines.daemon.url);
});
afterEach(async () => {
  await machines.close();
  await line.close().catch(() => undefined);
});

test('reports of an outage arrive later, each once and in the order of its session', {
  timeout: LIMIT_MS,
}, async () => {
  await report('ses-1', 0);
  await line.close();
  for (let number = 1; number <= 4; number += 1)
    for (const session of ['ses-1', 'ses-2']) await report(session, number);
  expect(await arrived()).toEqual({ 'ses-1': [0] });
  expect(waiting()).toBe(8);
  await line.open();
  // It goes behind the others, although it could get through at once.
  await report('ses-1', 5);
  await until(async () => expect(await arrived()).toEqual({ 'ses-1': [0, 1, 2, 3, 4, 5], 'ses-2': [1, 2, 3, 4] }));
  await until(() => expect(waiting()).toBe(0));
  await report('ses-1', 6);
  expect(await arrived()).toMatchObject({ 'ses-1': [0, 1, 2, 3, 4, 5, 6] });
});

test('a sender that is killed again and again loses nothing and repeats nothing', { timeout: LIMIT_MS }, async () => {
  const random = new Random(useSeed());
  await line.close();
  for (let number = 0; number < REPORTS; number += 1) await report('ses-1', number);
  await machines.killSenders();
  await line.open();
  let kills = 0;
  while (waiting() > 0) {
    // Some replies get lost, so that what has arrived is sent again.
    line.fates = Array.from({ length: 4 }, () =>
      random.below(3) === 0 ? { is: 'cut at the reply' } : { is: 'delayed', ms: random.below(300) },
    );
    const before = line.had.length;
    const sending = machines.laptop.start(['spool', 'send', '--url', line.url], {
      env: { BECKON_TOKEN: machines.token },
    });
    await Promise.race([until(() => expect(line.had.length).toBeGreaterThan(before)), sending.exit]);
    await Promise.race([new Promise((resolve) => setTimeout(resolve, random.below(400))), sending.exit]);
    sending.child.kill('SIGKILL');
    await sending.exit;
    kills += 1;
  }
  expect(kills).toBeGreaterThan(2);
  expect(await arrived()).toEqual({ 'ses-1': Array.from({ length: REPORTS }, (_, number) => number) });
});

test('what waits for one Beckon never goes to another, whoever is logged in', { timeout: LIMIT_MS }, async () => {
  const team = 'http://127.0.0.1:9';
  machines.logIn('team', team);
  await machines.laptop.finish(machines.hook('', hook('team-1', 0), { args: ['--profile', 'team'] }));
  machines.logIn('other', line.url);
  await report('other-1', 0, ['--profile', 'other']);
  await machines.laptop.run(['spool', 'send']);
  expect(await arrived()).toEqual({ 'other-1': [0] });
  const { stdout } = await machines.laptop.run(['spool', 'list', '--json']);
  expect(JSON.parse(stdout)).toMatchObject([{ url: team, hooks: 1 }]);
  // Nor does this machine's own.
  const own = await machines.laptop.up();
  await own.seen(/url/);
  expect(existsSync(join(machines.laptop.home, 'spool'))).toBe(false);
  expect((await machines.laptop.run(['history', '--json', '--profile', 'local'])).stdout).not.toContain('team-1');
});

test('`beckon spool` shows and sends what waits, and says why it cannot', { timeout: LIMIT_MS }, async () => {
  machines.logIn('default', line.url);
  expect(await machines.laptop.run(['spool', 'list'])).toMatchObject({ stdout: 'Nothing waits.\n' });
  await line.close();
  await report('ses-1', 1, []);
  expect((await machines.laptop.run(['spool', 'list'])).stdout).toMatch(new RegExp(`${line.url}\\s+1\\s+1\\s+0\\s+0`));
  // The report has started a sender of its own. It would leave at once if somebody else were sending when it comes up.
  await until(() => expect(machines.senders()).toHaveLength(1));
  await machines.killSenders();
  const failed = await machines.laptop.run(['spool', 'send']);
  expect(failed.code).toBe(6);
  expect(failed.stderr).toContain(`1 still wait for ${line.url}. Beckon at`);
  expect(failed.stderr).toMatch(/cannot be reached \(connection refused\)\.\n$/);
  await line.open();
  expect(await machines.laptop.run(['spool', 'send'])).toMatchObject({ code: 0, stdout: `Sent 1 to ${line.url}.\n` });
  expect(await arrived()).toEqual({ 'ses-1': [1] });
  machines.logIn('default', line.url, 'bkn_wrong');
  await report('ses-1', 2, []);
  const refused = await machines.laptop.run(['spool', 'send', '--json']);
  expect(refused.code).toBe(6);
  expect(JSON.parse(refused.stdout)).toMatchObject([
    { sent: 0, left: 1, fault: expect.stringContaining('beckon login') },
  ]);
});

test('a report that Claude Code ends before it got through is kept', { timeout: LIMIT_MS }, async () => {
  line.fates = [{ is: 'swallowed' }];
  const run = machines.hook(line.url, hook('ses-1', 1));
  await until(() => expect(line.had).toHaveLength(1));
  run.child.kill('SIGTERM');
  expect(await machines.laptop.finish(run)).toEqual(NOTHING);
  await until(async () => expect(await arrived()).toEqual({ 'ses-1': [1] }));
});

test('the person is told once a session, where Claude Code shows it, and never without a terminal', {
  timeout: LIMIT_MS,
}, async () => {
  await line.close();
  const host = new URL(line.url).host;
  const message = `Beckon at ${host} cannot be reached (connection refused). Claude Code asks only here.`;
  const told = { ...NOTHING, stdout: `${JSON.stringify({ systemMessage: message })}\n` };
  expect(await send('ses-1', 'SessionStart')).toEqual(told);
  expect(await send('ses-1', 'Stop')).toEqual(NOTHING);
  // Claude Code does not show what this hook says, so the next one says it.
  expect(await machines.laptop.finish(machines.hook(line.url, permission('ses-2', 'ls')))).toEqual(NOTHING);
  expect(await send('ses-2', 'Stop')).toEqual(told);
  expect(await send('ses-2', 'Stop')).toEqual(NOTHING);
  expect(await send('ses-3', 'SessionStart', { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' })).toEqual(NOTHING);
  // The first session sees it again only if it begins again.
  await send('ses-1', 'SessionEnd');
  await send('ses-2', 'SessionEnd');
  expect(readdirSync(join(machines.laptop.home, 'told'))).toEqual([]);
  await line.open();
  await until(() => expect(waiting()).toBe(0));
  expect(await send('ses-1', 'SessionStart')).toEqual(NOTHING);
  expect(readdirSync(join(machines.laptop.home, 'told'))).toEqual([]);
});

test('a login that no longer counts is told with the next step, and reports wait for it', {
  timeout: LIMIT_MS,
}, async () => {
  machines.logIn('default', line.url, 'bkn_wrong');
  const { stdout } = await send('ses-1', 'SessionStart', {}, []);
  expect(JSON.parse(stdout)).toEqual({
    systemMessage: expect.stringMatching(
      /does not accept the login of this machine: run "beckon login http\S+ --profile default" again/,
    ),
  });
  machines.logIn('default', line.url);
  await machines.laptop.run(['spool', 'send']);
  expect(Object.keys(await arrived())).toEqual(['ses-1']);
});

test('a profile that is gone is told, and its reports go nowhere', { timeout: LIMIT_MS }, async () => {
  const { stdout } = await send('ses-1', 'SessionStart', {}, ['--profile', 'team']);
  expect(JSON.parse(stdout)).toEqual({ systemMessage: expect.stringMatching(/No profile "team".*beckon login/) });
  expect(existsSync(join(machines.laptop.home, 'spool'))).toBe(false);
  expect(existsSync(join(machines.laptop.home, 'elsewhere'))).toBe(false);
});

function hook(sessionId: string, number: number): object {
  return { session_id: sessionId, hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_input: {}, number };
}

async function report(sessionId: string, number: number, args?: readonly string[]): Promise<void> {
  const env: Record<string, string> = args === undefined ? {} : { BECKON_TOKEN: '' };
  const run = machines.hook(line.url, hook(sessionId, number), { env, ...(args !== undefined && { args }) });
  expect(await machines.laptop.finish(run)).toEqual(NOTHING);
}

function send(
  sessionId: string,
  event: string,
  env: Record<string, string> = {},
  args?: readonly string[],
): Promise<Ended> {
  const body = { session_id: sessionId, hook_event_name: event };
  const own: Record<string, string> = args === undefined ? env : { ...env, BECKON_TOKEN: '' };
  return machines.laptop.finish(machines.hook(line.url, body, { env: own, ...(args !== undefined && { args }) }));
}

/** The numbers of the hooks that Beckon keeps, in the order of its log, by session. */
async function arrived(): Promise<Record<string, unknown[]>> {
  const sessions: Record<string, unknown[]> = {};
  for (const event of await machines.log()) {
    if (event.type !== 'hook.received') continue;
    const reply = await fetch(`${machines.daemon.url}/v1/hooks/${event.hookId}`, {
      headers: { authorization: `Bearer ${machines.adminToken}` },
    });
    const { event_data: data } = (await reply.json()) as { event_data: { number?: number } };
    const numbers = (sessions[event.sessionId] ??= []);
    if (data.number !== undefined) numbers.push(data.number);
  }
  return sessions;
}

/** How many reports wait on the laptop. */
function waiting(): number {
  const root = join(machines.laptop.home, 'elsewhere');
  if (!existsSync(root)) return 0;
  return readdirSync(root).flatMap((name) => readdirSync(join(root, name)).filter((file) => file.endsWith('.hook')))
    .length;
}
