import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { codexSetup } from './drivers/codex.ts';
import { copilotSetup } from './drivers/copilot.ts';
import { geminiSetup } from './drivers/gemini.ts';
import { opencodeSetup } from './drivers/opencode.ts';
import { qwenSetup } from './drivers/qwen.ts';
import { useClientLab } from './harness/client-lab.ts';
import { isInstalled } from './harness/installed.ts';

// pi asks nothing without Beckon, and the ACP agents need an editor.
describe.each([codexSetup, opencodeSetup, copilotSetup, qwenSetup, geminiSetup])('$client without Beckon', (setup) => {
  describe.runIf(isInstalled(setup.client))('on its terminal', () => {
    const use = useClientLab(setup);

    test('asks in its own dialog, and runs what it is allowed to', async () => {
      const { run, file } = start('yes');
      await run.asks();
      expect(existsSync(file)).toBe(false);
      await run.allow();
      expect(await use().result('yes')).toContain('hi');
      expect(existsSync(file)).toBe(true);
      run.close();
    });

    test('does not run what is refused in its own dialog', async () => {
      const { run, file } = start('no');
      await run.asks();
      await run.deny();
      await run.isDone();
      expect(existsSync(file)).toBe(false);
      run.close();
    });

    function start(scenario: string) {
      const lab = use();
      lab.model.script(scenario, [[setup.call('touch marker.txt && echo hi')]]);
      const project = lab.project();
      const run = setup.attended!(lab, { project, prompt: `Do it. SCENARIO:${scenario}`, args: [] });
      return { run, file: join(project, 'marker.txt') };
    }
  });
});
