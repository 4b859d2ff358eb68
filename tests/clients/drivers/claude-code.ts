import { seedClient, toClientEnv } from '../../claude-code/harness/client-env.ts';
import { MCP_SERVER } from '../harness/base-lab.ts';
import type { ClientDriver, ClientSetup } from '../harness/driver.ts';
import { onTerminal } from '../harness/on-terminal.ts';

const QUESTION = {
  question: 'Which database?',
  header: 'Database',
  options: [
    { label: 'SQLite', description: 'a file' },
    { label: 'Postgres', description: 'a server' },
  ],
  multiSelect: false,
};
const MCP = { mcpServers: { lab: { command: process.execPath, args: [MCP_SERVER] } } };

/** Claude Code, which asks before it runs commands. */
const claudeCodeSetup: ClientSetup = {
  client: 'claude-code',
  configure: (lab) => seedClient(lab.home, ...lab.projects),
  env: (lab) => {
    const { PATH: _path, SHELL: _shell, ...env } = toClientEnv(lab.modelUrl());
    return env;
  },
  headless: (prompt, args) => ['claude', '-p', prompt, ...args],
  attended: onTerminal({
    command: (prompt, args) => ['claude', '--permission-mode', 'manual', ...args, prompt],
    dialog: /Do you want to proceed/,
    allow: ['Enter'],
    deny: ['Escape'],
  }),
  call: (command) => ({ tool: 'Bash', input: { command, description: 'The test wants it' } }),
};

/** Claude Code with Beckon's hooks. What only it has is tested in tests/claude-code. */
export const claudeCode: ClientDriver = {
  ...claudeCodeSetup,
  name: 'claude-code',
  title: 'Claude Code',
  connect: async (lab) => void (await lab.install('claude', 'install', '--scope', 'user', '--yes')),
  cases: {
    allow: {},
    deny: {},
    'deny with text': {},
    question: { on: 'attended', turns: [[{ tool: 'AskUserQuestion', input: { questions: [QUESTION] } }]] },
    plan: {
      on: 'attended',
      args: ['--permission-mode', 'plan'],
      turns: [
        [{ tool: 'Write', input: { file_path: 'PLAN_FILE', content: '# Plan\n1. do it' } }],
        [{ tool: 'ExitPlanMode', input: {} }],
      ],
    },
    form: {
      args: ['--mcp-config', JSON.stringify(MCP), '--strict-mcp-config', '--allowedTools', 'mcp__lab__elicit'],
      turns: [[{ tool: 'mcp__lab__elicit', input: {} }]],
    },
    remember: {},
    'outside first': {},
    'terminal first': {},
    'both at once': {},
    'client killed': { on: 'attended' },
    'Beckon killed': {},
    'Beckon down': { on: 'attended' },
    'hostile payloads': {},
    'two sessions': {},
    'wait of 11 minutes': {},
  },
};
