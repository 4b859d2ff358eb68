import { MCP_SERVER } from '../harness/base-lab.ts';
import type { Cannot, CaseName, ClientDriver, ClientSetup, Play } from '../harness/driver.ts';
import { Editor, type EditorRun } from '../harness/editor.ts';
import { claudeAgentAcpSetup } from './claude-agent-acp.ts';
import { codexAcpSetup } from './codex-acp.ts';
import { copilotSetup } from './copilot.ts';
import { geminiSetup } from './gemini.ts';
import { opencodeSetup } from './opencode.ts';
import { qwenSetup } from './qwen.ts';

/** An ACP agent: its setup, and the command that speaks the protocol. */
export interface AcpAgent extends Pick<EditorRun, 'command' | 'mode'> {
  setup: ClientSetup;
  title: string;
  /** What its model reads after a refusal; `null`: the turn ends. */
  refused: RegExp | null;
  /** What it can besides permissions. */
  special?: Partial<Record<CaseName, Play | Cannot>>;
}

const OPTIONS = [
  { label: 'SQLite', description: 'a file' },
  { label: 'Postgres', description: 'a server' },
];
const QUESTION = { question: 'Which database?', header: 'Database', multiSelect: false, options: OPTIONS };
const NO_TEXT = { cannot: 'ACP answers with an option, without a text' };
const NO_FORM = { cannot: 'It does not announce elicitation to MCP servers' };

export const ACP_AGENTS: readonly AcpAgent[] = [
  {
    setup: geminiSetup,
    title: 'Gemini CLI, by ACP',
    command: ['gemini', '--acp'],
    refused: /canceled by the user/,
  },
  {
    setup: qwenSetup,
    title: 'Qwen Code, by ACP',
    command: ['qwen', '--acp'],
    mode: 'default',
    refused: null,
    special: {
      question: { turns: [[{ tool: 'ask_user_question', input: { questions: [QUESTION] } }]] },
      plan: { turns: [[{ tool: 'exit_plan_mode', input: { plan: '# Plan\n1. do it' } }]], args: ['--mode', 'plan'] },
    },
  },
  { setup: opencodeSetup, title: 'opencode, by ACP', command: ['opencode', 'acp'], refused: null },
  {
    setup: codexAcpSetup,
    title: 'Codex, by ACP',
    command: ['codex-acp'],
    mode: 'workspace-write',
    refused: null,
    special: {
      form: { cannot: 'Not tried: it needs an MCP server in its settings' },
      question: {
        turns: [[{ tool: 'request_user_input', input: { questions: [{ id: 'db', ...QUESTION }] } }]],
        args: ['--set', 'collaboration_mode=plan'],
      },
      plan: {
        turns: [[{ text: '<proposed_plan>\n# Plan\n1. do it\n</proposed_plan>' }]],
        args: ['--set', 'collaboration_mode=plan'],
      },
    },
  },
  {
    setup: {
      ...claudeAgentAcpSetup,
      configure: (lab) => {
        claudeAgentAcpSetup.configure(lab);
        lab.write('.claude.json', { mcpServers: { lab: { command: process.execPath, args: [MCP_SERVER] } } });
        lab.write('.claude/settings.json', { permissions: { allow: ['mcp__lab__elicit'] } });
      },
    },
    title: 'Claude Code, by ACP',
    command: ['claude-agent-acp'],
    refused: /refused permission/,
    special: {
      question: { turns: [[{ tool: 'AskUserQuestion', input: { questions: [QUESTION] } }]] },
      plan: { turns: [[{ tool: 'ExitPlanMode', input: {} }]], args: ['--mode', 'plan'] },
      form: { turns: [[{ tool: 'mcp__lab__elicit', input: {} }]] },
      'hostile payloads': { hears: /refused permission|control characters/ },
    },
  },
  {
    setup: copilotSetup,
    title: 'Copilot CLI, by ACP',
    command: ['copilot', '--acp'],
    refused: null,
    special: { form: { cannot: 'Not tried: it needs an MCP server in its settings' } },
  },
];

/** An ACP agent as the suite knows clients. Headless is `beckon acp run`; attended is an editor with `beckon acp`. */
export function toAcpDriver({ setup, title, command, mode, refused, special }: AcpAgent): ClientDriver {
  const modeArgs = mode === undefined ? [] : ['--mode', mode];
  return {
    client: setup.client,
    configure: setup.configure,
    ...(setup.env !== undefined && { env: setup.env }),
    call: setup.call,
    name: `acp-${setup.client}`,
    title,
    connect: async () => undefined,
    headless: (prompt, args) => ['beckon', 'acp', 'run', ...modeArgs, ...args, '--', ...command, prompt],
    attended: (lab, { project, prompt }) =>
      new Editor(lab, { command: ['beckon', 'acp', '--', ...command], project, prompt, mode }),
    cases: {
      allow: {},
      deny: { hears: refused },
      'deny with text': NO_TEXT,
      question: { cannot: 'It does not ask questions over ACP' },
      plan: { cannot: 'Not seen over ACP' },
      form: NO_FORM,
      remember: {},
      'outside first': {},
      'terminal first': {},
      'both at once': {},
      'client killed': { on: 'attended' },
      'Beckon killed': {},
      'Beckon down': { on: 'attended' },
      'hostile payloads': { hears: refused },
      'two sessions': { hears: refused },
      'wait of 11 minutes': { args: ['--timeout', '1h'] },
      ...special,
    },
  };
}
