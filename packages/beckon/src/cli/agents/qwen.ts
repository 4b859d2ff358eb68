import { homedir } from 'node:os';
import { join } from 'node:path';
import { createHookClient } from './hook-client.ts';
import { createSettingsHooks } from './settings-hooks.ts';

/** Qwen Code, by hooks in the settings of this user. */
export const qwen = createHookClient({
  name: 'qwen',
  title: 'Qwen Code',
  program: 'qwen',
  tested: '0.24.4',
  kinds: { approval: 'in its terminal', question: 'in its terminal', plan_review: 'with "beckon acp"', form: 'no' },
  asking: 'PermissionRequest',
  reported: ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure', 'Stop', 'SessionEnd'],
  file: createSettingsHooks({
    agent: 'qwen',
    path: () => join(process.env['QWEN_HOME'] || join(homedir(), '.qwen'), 'settings.json'),
    // In milliseconds, unlike with the others.
    toFields: (seconds) => ({ timeout: seconds * 1000 }),
  }),
});
