import type { ClientDriver, ClientSetup } from '../harness/driver.ts';
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

const NO_DIALOG = 'No dialog while its hook waits';

/** Copilot CLI by its hooks. */
export const copilot: ClientDriver = {
  ...copilotSetup,
  name: 'copilot',
  title: 'Copilot CLI',
  connect: async (lab) => void (await lab.install('agents', 'install', 'copilot', '--yes')),
  cases: {
    allow: {},
    deny: { hears: /Permission denied by a PermissionRequest hook: ana denied Bash/ },
    'deny with text': { hears: /Permission denied by a PermissionRequest hook: Not on a Monday/ },
    question: { cannot: 'Its question has no hook that could answer' },
    plan: { cannot: 'Not asked by a hook' },
    form: { cannot: 'Not asked by a hook' },
    remember: { cannot: 'Its hook cannot; rules of Beckon can' },
    'outside first': { beside: false },
    'terminal first': { cannot: NO_DIALOG },
    'both at once': { cannot: NO_DIALOG },
    'client killed': { after: 'ends' },
    'Beckon killed': {},
    'Beckon down': { on: 'attended' },
    'hostile payloads': { hears: /Permission denied by a PermissionRequest hook/ },
    'two sessions': { hears: /Permission denied by a PermissionRequest hook/ },
    'wait of 11 minutes': {},
  },
};
