import type { ClientSetup } from '../harness/driver.ts';
import { onTerminal } from '../harness/on-terminal.ts';

/** Copilot CLI with a provider of its own, offline and without a login. */
export const copilotSetup: ClientSetup = {
  client: 'copilot',
  configure: (lab) => {
    lab.write('.copilot/config.json', {
      trusted_folders: lab.projects,
      banner: 'never',
      firstLaunchAt: '2026-01-01T00:00:00Z',
    });
    lab.write('.copilot/settings.json', { banner: 'never' });
  },
  env: (lab) => ({
    COPILOT_PROVIDER_BASE_URL: lab.modelUrl('/v1'),
    COPILOT_PROVIDER_API_KEY: 'dummy',
    COPILOT_MODEL: 'fake',
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
  }),
  headless: (prompt, args) => ['copilot', ...args, '-p', prompt],
  attended: onTerminal({
    command: (prompt, args) => ['copilot', ...args, '-i', prompt],
    dialog: /Do you want to run this command/,
    allow: ['Enter'],
    deny: ['Escape'],
    moving: /Working|Thinking|Executing/,
  }),
  call: (command) => ({ tool: 'bash', input: { command, description: 'The test wants it' } }),
};
