import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { codexHook } from './drivers/codex-hook.ts';
import { testClient } from './harness/client.testsuite.ts';
import { useClientLab } from './harness/client-lab.ts';
import { isInstalled } from './harness/installed.ts';
import type { Turn } from './harness/model.ts';

const GRACE_MS = 3000;

testClient(codexHook);

describe.runIf(isInstalled('codex'))('Codex, by hook', () => {
  const use = useClientLab(codexHook);

  test('shows a patch, and applies it', async () => {
    const patch = '*** Begin Patch\n*** Add File: hello.txt\n+hello\n*** End Patch\n';
    const { project } = start('patch', [[{ tool: 'apply_patch', input: patch }]], ['-s', 'read-only']);
    const asked = await use().pending(project, 'approval');
    expect(asked.request).toMatchObject({ tool: 'apply_patch', input: { command: patch.trimEnd() } });
    const file = join(project, 'hello.txt');
    expect((await use().beckon.context(asked.id))?.files).toMatchObject([{ path: file, sha256: null }]);
    await use().answer(asked, { decision: 'allow' });
    await use().poll('the file', () => existsSync(file) || undefined);
    expect(readFileSync(file, 'utf8')).toBe('hello\n');
  });

  // After half a minute the model has control again, while the call still waits: the turn ends.
  test('in code mode an answer after the end of the turn still counts', { timeout: 180_000 }, async () => {
    const script =
      'const r = await tools.exec_command({ cmd: "touch marker.txt", sandbox_permissions: "require_escalated", ' +
      'justification: "The test wants it" }); text(r);';
    const { project, tui } = start('code', [[{ tool: 'exec', input: script }]], ['-m', 'gpt-6-astra']);
    const asked = await use().pending(project, 'approval');
    await tui.see(/FINAL\[/);
    // Longer than the end of a turn takes to end what is over.
    await sleep(GRACE_MS);
    expect((await use().beckon.get(asked.id))?.status).toBe('pending');
    await use().answer(asked, { decision: 'allow' });
    await use().poll('the marker', () => existsSync(join(project, 'marker.txt')) || undefined);
  });

  test('is left as it was when it is removed', async () => {
    const lab = use();
    const config = join(lab.home, '.codex', 'config.toml');
    expect(readFileSync(config, 'utf8')).toContain('trusted_hash');
    const listed = await lab.install('agents', 'list', 'codex-hook', '--json');
    expect(JSON.parse(listed)).toMatchObject({ agents: [{ isConnected: true, problems: [] }] });
    await lab.install('agents', 'uninstall', 'codex-hook', '--yes');
    expect(readFileSync(config, 'utf8')).not.toMatch(/hooks/);
    expect(existsSync(join(lab.home, '.codex', 'hooks.json'))).toBe(false);
  });

  function start(scenario: string, turns: readonly Turn[], args: readonly string[]) {
    const lab = use();
    lab.model.script(scenario, turns);
    const project = lab.project();
    const command = ['codex', '-a', 'on-request', ...args, `Do it. SCENARIO:${scenario}`];
    const tui = lab.terminal(project, command, /esc to interrupt/);
    onTestFinished(() => tui.close());
    return { project, tui };
  }
});
