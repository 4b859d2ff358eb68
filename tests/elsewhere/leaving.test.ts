import { spawn } from 'node:child_process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../packages/beckon/src/testing/suites/until.ts';
import { type BadLine, openBadLine } from '../harness/bad-line.ts';
import { main } from '../harness/cli.ts';
import { permission, TwoMachines } from './two-machines.ts';

const LIMIT_MS = 120_000;

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

test('a hook that Claude Code ends takes its question along at once', { timeout: LIMIT_MS }, async () => {
  const run = machines.hook(line.url, permission('ses-1', 'ls'));
  const { id } = await machines.asked('ses-1');
  run.child.kill('SIGTERM');
  expect(await machines.laptop.finish(run)).toEqual({ code: 0, stdout: '', stderr: '' });
  const ended = await machines.beckon.get(id);
  expect(ended).toMatchObject({ status: 'superseded', reason: expect.stringContaining('no longer waits') });
});

test('if the line is cut just then, the question ends when the line is back', { timeout: LIMIT_MS }, async () => {
  const run = machines.hook(line.url, permission('ses-1', 'ls'));
  const { id } = await machines.asked('ses-1');
  await line.close();
  run.child.kill('SIGTERM');
  await machines.laptop.finish(run);
  expect((await machines.beckon.get(id))?.status).toBe('pending');
  await line.open();
  await until(async () => expect((await machines.beckon.get(id))?.status).toBe('superseded'));
});

test('a hook whose Claude Code was killed takes its question along', { timeout: LIMIT_MS }, async () => {
  const hook = JSON.stringify(permission('ses-1', 'ls'));
  const program = `
    const { spawn } = require('node:child_process');
    const args = ${JSON.stringify([main, 'hook', 'claude-code', '--url', line.url])};
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'ignore'] });
    child.stdin.end(${JSON.stringify(hook)});
    setInterval(() => 0, 1000);`;
  const env = { ...process.env, BECKON_HOME: machines.laptop.home, BECKON_TOKEN: machines.token };
  const claude = spawn(process.execPath, ['-e', program], { env });
  const { id } = await machines.asked('ses-1');
  claude.kill('SIGKILL');
  await until(async () => expect((await machines.beckon.get(id))?.status).toBe('superseded'));
});

test('the hook after the tool still ends a question that was answered in the terminal', {
  timeout: LIMIT_MS,
}, async () => {
  const run = machines.hook(line.url, permission('ses-1', 'ls'));
  const { id } = await machines.asked('ses-1');
  const ran = { ...permission('ses-1', 'ls'), hook_event_name: 'PostToolUse', tool_use_id: 'toolu_1' };
  await machines.laptop.finish(machines.hook(line.url, ran));
  expect(await machines.beckon.get(id)).toMatchObject({ status: 'answered', answeredBy: { via: 'terminal' } });
  expect(await machines.laptop.finish(run)).toEqual({ code: 0, stdout: '', stderr: '' });
});
