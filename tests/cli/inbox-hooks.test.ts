import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BASH, permission, QUESTIONS } from '../../packages/beckon/src/testing/harness/claude-hooks.ts';
import { CliBench, type TestDaemon, typeSlowly } from '../harness/cli.ts';

const ENTER = '\r';

// What Claude Code sends, through the daemon, on a real terminal.
describe.runIf(process.platform === 'linux')('hooks of Claude Code in the inbox', () => {
  let bench: CliBench;
  let daemon: TestDaemon;

  beforeAll(async () => {
    bench = await CliBench.open();
    daemon = await bench.up();
  });
  afterAll(() => bench.close());

  async function send(payload: object): Promise<unknown> {
    const token = (await readFile(join(bench.home, 'token'), 'utf8')).trim();
    const reply = await fetch(`${daemon.url}/hooks/claude`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(payload),
    });
    return reply.json();
  }

  test('the questions of one call are tabs, and are answered together', async () => {
    const asking = send(permission('AskUserQuestion', { questions: QUESTIONS }));
    const inbox = bench.startOnTerminal(['inbox'], { env: { NO_COLOR: '1' } });
    await inbox.seen(/1 waiting[^]*2 questions/);
    await typeSlowly(inbox, ENTER);
    await inbox.seen(/\[Database\] │ Features │ Send/);
    await typeSlowly(inbox, '2');
    await inbox.seen(/Database ✓ │ \[Features\] │ Send/);
    await typeSlowly(inbox, '1');
    await typeSlowly(inbox, '3');
    await typeSlowly(inbox, ENTER);
    await inbox.seen(/SQLite[^]*Auth, Search[^]*enter: send all/);
    await typeSlowly(inbox, ENTER);
    expect(JSON.stringify(await asking)).toMatch(/"Which database should we use\?":"SQLite".*"Auth, Search"/);
    await inbox.seen(/nothing waiting/);
    await typeSlowly(inbox, 'q');
    expect(await bench.finish(inbox)).toMatchObject({ code: 0 });
  });

  test('a command says what it is for, and is denied with a key, in red', async () => {
    const asking = send(permission('Bash', BASH));
    const inbox = bench.startOnTerminal(['inbox'], { env: { TERM: 'xterm-256color' } });
    await inbox.seen(/\$ Say hi · touch marker\.txt && echo hi/);
    await typeSlowly(inbox, ENTER);
    await inbox.seen(/touch marker\.txt && echo hi[^]*y allow/);
    await typeSlowly(inbox, 'n');
    expect(JSON.stringify(await asking)).toContain('"behavior":"deny"');
    await inbox.seen(/✗ Say hi · .*Denied by/);
    expect(inbox.stdout()).toContain('\u001b[31m✗ Say hi');
    await typeSlowly(inbox, 'q');
    expect(await bench.finish(inbox)).toMatchObject({ code: 0 });
  });
});
