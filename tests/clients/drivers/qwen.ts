import type { ClientSetup } from '../harness/driver.ts';
import { onTerminal } from '../harness/on-terminal.ts';

/** Qwen Code, which asks before it runs commands. `qwen -p` refuses by itself: it never asks. */
export const qwenSetup: ClientSetup = {
  client: 'qwen',
  configure: (lab) =>
    lab.write('.qwen/settings.json', {
      security: { auth: { selectedType: 'openai' }, folderTrust: { enabled: false } },
      general: { disableAutoUpdate: true, enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      model: { name: 'fake' },
    }),
  env: (lab) => ({ OPENAI_API_KEY: 'dummy', OPENAI_BASE_URL: lab.modelUrl('/v1'), OPENAI_MODEL: 'fake' }),
  attended: onTerminal({
    command: (prompt, args) => ['qwen', '--approval-mode', 'default', ...args, '-i', prompt],
    dialog: /Allow execution of/,
    allow: ['Enter'],
    deny: ['Escape'],
    moving: /esc to cancel/,
  }),
  call: (command) => ({
    tool: 'run_shell_command',
    input: { command, description: 'The test wants it', is_background: false },
  }),
};
