import type { ClientDriver, ClientSetup } from '../harness/driver.ts';
import { onTerminal } from '../harness/on-terminal.ts';

/** opencode, which asks before it runs commands and writes files. `opencode run` rejects by itself: it never asks. */
export const opencodeSetup: ClientSetup = {
  client: 'opencode',
  configure: (lab) =>
    lab.write('.config/opencode/opencode.json', {
      autoupdate: false,
      share: 'disabled',
      model: 'fake/fake',
      small_model: 'fake/fake',
      enabled_providers: ['fake'],
      provider: {
        fake: {
          npm: '@ai-sdk/openai-compatible',
          name: 'Fake',
          options: { baseURL: lab.modelUrl('/v1'), apiKey: 'dummy' },
          models: { fake: { name: 'Fake', tool_call: true, limit: { context: 100_000, output: 10_000 } } },
        },
      },
      permission: { bash: 'ask', edit: 'ask' },
    }),
  env: () => ({
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
  }),
  attended: onTerminal({
    command: (prompt, args) => ['opencode', ...args, '--prompt', prompt],
    dialog: /Permission required/,
    allow: ['Enter'],
    deny: ['Escape'],
    moving: /esc interrupt/,
  }),
  call: (command) => ({ tool: 'bash', input: { command, description: 'The test wants it' } }),
};

const QUESTION = {
  question: 'Which database?',
  header: 'Database',
  options: [
    { label: 'SQLite', description: 'a file' },
    { label: 'Postgres', description: 'a server' },
  ],
};

/** opencode with Beckon's plugin. */
export const opencode: ClientDriver = {
  ...opencodeSetup,
  name: 'opencode',
  title: 'opencode',
  connect: async (lab) => void (await lab.install('opencode', 'install', '--yes')),
  cases: {
    allow: {},
    deny: { hears: /denied Bash/ },
    'deny with text': {},
    question: { turns: [[{ tool: 'question', input: { questions: [QUESTION] } }]] },
    plan: { cannot: 'Its plan mode is an experiment; leaving it is a question' },
    form: { cannot: 'It does not announce elicitation to MCP servers' },
    remember: {},
    'outside first': {},
    'terminal first': {},
    'both at once': {},
    'client killed': { after: 'ends' },
    'Beckon killed': {},
    'Beckon down': {},
    'hostile payloads': { hears: /denied Bash/ },
    'two sessions': { hears: /denied Bash/ },
    'wait of 11 minutes': {},
  },
};
