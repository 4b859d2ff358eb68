import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { qwen } from './drivers/qwen.ts';
import { testClient } from './harness/client.testsuite.ts';
import { useClientLab } from './harness/client-lab.ts';
import { isInstalled } from './harness/installed.ts';
import type { Turn } from './harness/model.ts';

testClient(qwen);

describe.runIf(isInstalled('qwen'))('Qwen Code', () => {
  const use = useClientLab(qwen);

  test('runs a command as the person changed it', async () => {
    const { project } = start('edited', [[qwen.call('touch marker.txt')]]);
    const asked = await use().pending(project, 'approval');
    await use().answer(asked, {
      decision: 'allow',
      updatedInput: { ...asked.request.input, command: 'touch other.txt' },
    });
    await use().result('edited');
    expect(['marker.txt', 'other.txt'].map((name) => existsSync(join(project, name)))).toEqual([false, true]);
  });

  test('asks about a plan in its terminal alone', async () => {
    const plan = [[{ tool: 'exit_plan_mode', input: { plan: '# The plan' } }]];
    const { project, tui } = start('plan', plan, ['--approval-mode', 'plan']);
    await tui.see(/The plan/);
    await tui.see(/Would you like to proceed/);
    expect(await use().asksOf(project)).toEqual([]);
  });

  function start(scenario: string, turns: readonly Turn[], args: readonly string[] = ['--approval-mode', 'default']) {
    const lab = use();
    lab.model.script(scenario, turns);
    const project = lab.project();
    const tui = lab.terminal(project, ['qwen', ...args, '-i', `Do it. SCENARIO:${scenario}`], /esc to cancel/);
    onTestFinished(() => tui.close());
    return { project, tui };
  }
});
