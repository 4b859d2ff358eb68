import type { ClientDriver, ClientSetup } from '../harness/driver.ts';
import { onTerminal } from '../harness/on-terminal.ts';

const MODEL = ['--provider', 'fake', '--model', 'fake'];

/** pi, which never asks by itself: the dialog is that of Beckon's extension. */
const piSetup: ClientSetup = {
  client: 'pi',
  configure: (lab) =>
    lab.write('.pi/agent/models.json', {
      providers: {
        fake: {
          baseUrl: lab.modelUrl('/v1'),
          api: 'openai-completions',
          apiKey: 'dummy',
          models: [{ id: 'fake' }],
        },
      },
    }),
  env: () => ({ PI_OFFLINE: '1' }),
  headless: (prompt, args) => ['pi', ...MODEL, ...args, '-p', prompt],
  attended: onTerminal({
    command: (prompt, args) => ['pi', ...MODEL, ...args, prompt],
    dialog: /Beckon: allow/,
    allow: ['Enter'],
    deny: ['Escape'],
    moving: /Working/,
  }),
  call: (command) => ({ tool: 'bash', input: { command } }),
};

const QUESTION = { question: 'Which database?', options: [{ label: 'SQLite' }, { label: 'Postgres' }] };

/** pi with Beckon's extension. */
export const pi: ClientDriver = {
  ...piSetup,
  name: 'pi',
  title: 'pi',
  connect: async (lab) => void (await lab.install('pi', 'install', '--yes')),
  cases: {
    allow: {},
    deny: { hears: /denied Bash/ },
    'deny with text': {},
    question: { turns: [[{ tool: 'ask_person', input: QUESTION }]] },
    plan: { cannot: 'It has no plan mode' },
    form: { cannot: 'It has no MCP' },
    remember: { cannot: 'It remembers nothing; Beckon has rules for that' },
    'outside first': {},
    'terminal first': {},
    'both at once': {},
    'client killed': { after: 'ends' },
    'Beckon killed': {},
    'Beckon down': { hears: /Beckon cannot be reached/ },
    'hostile payloads': { hears: /denied Bash/ },
    'two sessions': { hears: /denied Bash/ },
    'wait of 11 minutes': {},
  },
};
