import type { ClientDriver, ClientSetup } from '../harness/driver.ts';
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

const NO_DIALOG = 'No dialog while its hook waits';

/** Qwen Code by its hooks. */
export const qwen: ClientDriver = {
  ...qwenSetup,
  name: 'qwen',
  title: 'Qwen Code, by hook',
  connect: async (lab) => void (await lab.install('agents', 'install', 'qwen', '--yes')),
  cases: {
    allow: {},
    deny: { hears: /ana denied Bash/ },
    'deny with text': {},
    question: {
      turns: [
        [
          {
            tool: 'ask_user_question',
            input: {
              questions: [
                {
                  question: 'Which database?',
                  header: 'Database',
                  multiSelect: false,
                  options: [
                    { label: 'SQLite', description: 'a file' },
                    { label: 'Postgres', description: 'a server' },
                  ],
                },
              ],
            },
          },
        ],
      ],
      hears: /The person answered: "Which database\?" = Postgres/,
    },
    plan: { cannot: 'Its dialog opens whatever the hook says; through ACP it can' },
    form: { cannot: 'It does not announce elicitation to MCP servers' },
    remember: { cannot: 'Its hook cannot; rules of Beckon can' },
    'outside first': { beside: false },
    'terminal first': { cannot: NO_DIALOG },
    'both at once': { cannot: NO_DIALOG },
    'client killed': { after: 'ends' },
    'Beckon killed': {},
    'Beckon down': {},
    'hostile payloads': { hears: /ana denied Bash/ },
    'two sessions': { hears: /ana denied Bash/ },
    'wait of 11 minutes': {},
  },
};
