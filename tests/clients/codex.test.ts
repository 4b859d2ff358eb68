import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { codex } from './drivers/codex.ts';
import { testClient } from './harness/client.testsuite.ts';
import { useClientLab } from './harness/client-lab.ts';
import { isInstalled } from './harness/installed.ts';
import type { Turn } from './harness/model.ts';

testClient(codex);

const ADDED = '*** Begin Patch\n*** Add File: hello.txt\n+hello\n*** End Patch\n';
const CHANGED = '*** Begin Patch\n*** Update File: a.txt\n@@\n one\n-two\n+TWO\n three\n*** End Patch\n';

describe.runIf(isInstalled('codex'))('Codex in its shared app server', { timeout: 300_000 }, () => {
  const use = useClientLab(codex);

  /** A session on a terminal of its own. */
  function start(
    scenario: string,
    turns: readonly Turn[],
    { sandbox = 'workspace-write', project = use().project() } = {},
  ) {
    const lab = use();
    lab.model.script(scenario, turns);
    const command = ['codex', '-a', 'on-request', '-s', sandbox, `Do it. SCENARIO:${scenario}`];
    const tui = lab.terminal(project, command, /esc to interrupt/);
    onTestFinished(() => tui.close());
    return { lab, project, tui };
  }

  test('a request says who asks, where, and what was said', async () => {
    const { lab, project } = start('says', [[{ text: 'I will look first.' }, codex.call('ls')]]);
    const asked = await lab.pending(project, 'approval');
    expect(asked).toMatchObject({
      askedBy: 'codex',
      request: { tool: 'Bash', input: { command: 'ls' }, description: 'The test wants it' },
      metadata: { agent: 'codex', cwd: project },
    });
    expect(await lab.beckon.context(asked.id)).toMatchObject({
      agent: 'Codex',
      folder: project,
      prompt: 'Do it. SCENARIO:says',
      message: 'I will look first.',
    });
    const { stdout } = await lab.cli(['token', 'list', '--json'], project);
    expect(stdout).toContain('"name":"codex"');
    await lab.answer(asked, { decision: 'deny' });
    await lab.result('says');
  });

  test('cancelling ends the turn, and the model hears nothing', async () => {
    const { lab, project, tui } = start('cancel', [[codex.call('touch cancelled')]]);
    const { id } = await lab.pending(project, 'approval');
    await lab.beckon.cancel({ id });
    await tui.see(/interrupted/i);
    expect(lab.model.results('cancel')).toEqual([]);
    expect(existsSync(join(project, 'cancelled'))).toBe(false);
  });

  test('what will be remembered is shown before, and is what Codex writes down', async () => {
    const { lab, project } = start('amend', [[codex.call('touch amended')]]);
    const asked = await lab.pending(project, 'approval');
    expect(asked.request.suggestions).toEqual([
      {
        type: 'addRules',
        rules: [{ toolName: 'Bash', ruleContent: 'touch amended:*' }],
        behavior: 'allow',
        destination: 'userSettings',
      },
    ]);
    await lab.answer(asked, { decision: 'allow', remember: true });
    await lab.result('amend');
    expect(readFileSync(join(lab.home, '.codex/rules/default.rules'), 'utf8')).toContain(
      'prefix_rule(pattern=["touch", "amended"], decision="allow")',
    );
  });

  test('a patch is shown with its diff, and remembered for the session', async () => {
    const project = use().project();
    writeFileSync(join(project, 'a.txt'), 'one\ntwo\nthree\n');
    const turns: Turn[] = [CHANGED, CHANGED.replace('-two\n+TWO', '-TWO\n+2')].map((input) => [
      { tool: 'apply_patch', input },
    ]);
    const { lab } = start('patch', turns, { sandbox: 'read-only', project });
    const asked = await lab.pending(project, 'approval');
    expect(asked.request).toMatchObject({
      tool: 'apply_patch',
      input: {
        command: `*** Begin Patch\n*** Update File: ${join(project, 'a.txt')}\n@@\n one\n-two\n+TWO\n three\n*** End Patch\n`,
      },
    });
    expect(await lab.beckon.context(asked.id)).toMatchObject({ files: [{ path: join(project, 'a.txt'), lines: 3 }] });
    await lab.answer(asked, { decision: 'allow', remember: true });
    await lab.result('patch', 2);
    expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe('one\n2\nthree\n');
    expect(await lab.asksOf(project)).toHaveLength(1);
  });

  test('who comes late has the diff as well; a patch of a file that changed meanwhile is not let through', async () => {
    const lab = use();
    await lab.kill();
    const { project, tui } = start('late', [[{ tool: 'apply_patch', input: ADDED }]], { sandbox: 'read-only' });
    await tui.see(/Would you like to make the following edits/);
    await lab.up();
    const asked = await lab.pending(project, 'approval');
    expect(asked.request.input).toMatchObject({ command: expect.stringContaining('\n+hello\n') });
    writeFileSync(join(project, 'hello.txt'), 'mine\n');
    await lab.answer(asked, { decision: 'allow' });
    expect(await lab.result('late')).toContain('rejected by user');
    await lab.poll('why', () => lab.model.heard('late').find((text) => text.includes('was created after this call')));
    expect(readFileSync(join(project, 'hello.txt'), 'utf8')).toBe('mine\n');
  });

  test('the permission for a tool of an MCP server comes as one, and is remembered for the session', async () => {
    const call = { tool: 'ping', namespace: 'mcp__lab', input: {} };
    const { lab, project } = start('mcp', [[call], [call]]);
    const asked = await lab.pending(project, 'approval');
    expect(asked.request).toMatchObject({
      tool: 'mcp__lab__ping',
      suggestions: [{ rules: [{ toolName: 'mcp__lab__ping' }], destination: 'session' }],
    });
    await lab.answer(asked, { decision: 'allow', remember: true });
    expect(await lab.result('mcp', 2)).toContain('pong');
    expect(await lab.asksOf(project)).toHaveLength(1);
  });

  test('a tool of an MCP server that is denied does not run', async () => {
    const { lab, project } = start('no-mcp', [[{ tool: 'ping', namespace: 'mcp__lab', input: {} }]]);
    await lab.answer(await lab.pending(project, 'approval'), { decision: 'deny', message: 'Not that server' });
    expect(await lab.result('no-mcp')).not.toContain('pong');
    await lab.poll('the reason', () => lab.model.heard('no-mcp').find((text) => text.includes('Not that server')));
  });

  test('what was allowed in the terminal is answered by its person', async () => {
    const { lab, project, tui } = start('there', [[codex.call('touch there')]]);
    const asked = await lab.pending(project, 'approval');
    await tui.see(/Would you like to run/);
    await tui.end(/Would you like to run/, 'y');
    expect(await lab.settled(asked)).toMatchObject({
      status: 'answered',
      answer: { decision: 'allow' },
      answeredBy: { via: 'terminal' },
    });
  });

  test('what was refused in the terminal is not allowed anywhere', async () => {
    const { lab, project, tui } = start('not-there', [[codex.call('touch not-there')]]);
    const asked = await lab.pending(project, 'approval');
    await tui.see(/Would you like to run/);
    await tui.end(/Would you like to run/, 'Escape');
    // Codex says only sometimes that the command was declined.
    const { status, answer } = await lab.settled(asked);
    expect([{ status: 'superseded' }, { status: 'answered', answer: { decision: 'deny' } }]).toContainEqual({
      status,
      answer,
    });
    expect(existsSync(join(project, 'not-there'))).toBe(false);
  });

  test('Beckon that comes back asks the same request, and delivers what was answered without it', async () => {
    const { lab, project } = start('back', [[codex.call('touch back')]]);
    const asked = await lab.pending(project, 'approval');
    await lab.kill();
    await lab.answer(asked, { decision: 'allow' });
    await lab.up();
    await lab.result('back');
    expect(existsSync(join(project, 'back'))).toBe(true);
    expect(await lab.asksOf(project)).toMatchObject([{ id: asked.id, status: 'answered' }]);
  });

  test('what was settled in the terminal while Beckon was away ends when it is back', async () => {
    const { lab, project, tui } = start('away', [[codex.call('touch away')]]);
    const asked = await lab.pending(project, 'approval');
    await lab.kill();
    await tui.see(/Would you like to run/);
    await tui.end(/Would you like to run/, 'y');
    await lab.result('away');
    await lab.up();
    expect(await lab.settled(asked)).toMatchObject({ status: 'superseded', reason: 'Codex no longer waits for it' });
  });

  test('status says what is connected', async () => {
    const { lab, project } = start('status', [[codex.call('touch status')]]);
    const asked = await lab.pending(project, 'approval');
    const { code, stdout } = await lab.cli(['codex', 'status', '--json'], project);
    expect(JSON.parse(stdout)).toMatchObject({ version: '0.166.0', isTested: true, isConnected: true, problems: [] });
    expect((JSON.parse(stdout) as { attached: string[] }).attached).toContain(asked.sessionId);
    expect(code).toBe(0);
    await lab.answer(asked, { decision: 'deny' });
    await lab.result('status');
  });

  test('when its app server is killed, what it asked ends, and nothing is lost of what comes later', async () => {
    const { lab, project } = start('killed', [[codex.call('touch killed')]]);
    const asked = await lab.pending(project, 'approval');
    const pid = JSON.parse(readFileSync(join(lab.home, '.codex/app-server-daemon/daemon.pid'), 'utf8')) as {
      pid: number;
    };
    execFileSync('kill', ['-9', String(pid.pid)]);
    expect(await lab.settled(asked)).toMatchObject({ status: 'superseded' });
    const { stdout, code } = await lab.cli(['codex', 'status', '--json'], project);
    expect(JSON.parse(stdout)).toMatchObject({ isConnected: false });
    expect(code).toBe(1);
    const next = start('again', [[codex.call('touch again')]]);
    await lab.answer(await lab.pending(next.project, 'approval'), { decision: 'allow' });
    await lab.result('again');
    expect(existsSync(join(next.project, 'again'))).toBe(true);
  });
});

describe.runIf(isInstalled('codex'))('Codex with a Beckon elsewhere', { timeout: 300_000 }, () => {
  const use = useClientLab({
    ...codex,
    env: (lab) => ({ ...codex.env?.(lab), BECKON_CODEX: 'off' }),
    connect: async (lab) => {
      const created = JSON.parse(await lab.install('token', 'create', 'laptop', '--role', 'agent', '--json')) as {
        token: string;
      };
      lab.run(['env', `BECKON_TOKEN=${created.token}`, 'beckon', 'codex'], lab.folder);
    },
  });

  test('"beckon codex" asks with a token that may only ask, and the first answer counts', async () => {
    const lab = use();
    lab.model.script('far', [[codex.call('touch one')], [codex.call('touch two')]]);
    const project = lab.project();
    const tui = lab.terminal(project, ['codex', '-a', 'on-request', '-s', 'workspace-write', 'Do it. SCENARIO:far']);
    const first = await lab.pending(project, 'approval');
    expect(first).toMatchObject({ askedBy: 'laptop', request: { input: { command: 'touch one' } } });
    await lab.answer(first, { decision: 'allow' });
    const second = await lab.pending(project, 'approval');
    await tui.see(/Would you like to run/);
    await tui.end(/Would you like to run/, 'y');
    expect(await lab.settled(second)).toMatchObject({ status: 'superseded' });
    await lab.result('far', 2);
    expect(['one', 'two'].map((name) => existsSync(join(project, name)))).toEqual([true, true]);
    tui.close();
  });
});
