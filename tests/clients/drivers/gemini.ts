import type { ClientSetup } from '../harness/driver.ts';
import { onTerminal } from '../harness/on-terminal.ts';

/** Gemini CLI, which asks before it runs commands. `gemini -p` has no shell tool: it never asks. */
export const geminiSetup: ClientSetup = {
  client: 'gemini',
  configure: (lab) =>
    lab.write('.gemini/settings.json', {
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      general: { disableAutoUpdate: true, disableUpdateNag: true },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      model: { name: 'gemini-2.5-flash' },
    }),
  env: (lab) => ({
    GEMINI_API_KEY: 'dummy',
    GOOGLE_GEMINI_BASE_URL: lab.modelUrl(),
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
  }),
  attended: onTerminal({
    command: (prompt, args) => ['gemini', ...args, '-i', prompt],
    dialog: /Allow execution of/,
    allow: ['Enter'],
    deny: ['Escape'],
    moving: /esc to cancel/,
  }),
  call: (command) => ({ tool: 'run_shell_command', input: { command, description: 'The test wants it' } }),
};
