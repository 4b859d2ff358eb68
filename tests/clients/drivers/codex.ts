import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { MCP_SERVER } from '../harness/base-lab.ts';
import type { ClientLab } from '../harness/client-lab.ts';
import type { Attended, ClientDriver, ClientSetup } from '../harness/driver.ts';
import { onTerminal } from '../harness/on-terminal.ts';

/** The flags of a person who wants to be asked. */
const FLAGS = ['-a', 'on-request', '-s', 'workspace-write'];
const attend = onTerminal({
  command: (prompt, args) => ['codex', ...FLAGS, ...args, prompt],
  dialog: /Would you like to run the following command/,
  allow: ['y'],
  deny: ['Escape'],
  moving: /esc to interrupt/,
});

/** Codex with plain tools. `-m gpt-6-astra` among the arguments gives it code mode: one tool `exec`. */
export const codexSetup: ClientSetup = {
  client: 'codex',
  configure: (lab) =>
    lab.write(
      '.codex/config.toml',
      `model = "gpt-5.5"
model_provider = "fake"
check_for_update_on_startup = false
[model_providers.fake]
name = "fake"
base_url = "${lab.modelUrl('/v1')}"
wire_api = "responses"
env_key = "FAKE_KEY"
request_max_retries = 0
stream_max_retries = 0
[analytics]
enabled = false
[notice.model_migrations]
"gpt-5.5" = "gpt-6-sol"
${lab.projects.map((project) => `[projects."${project}"]\ntrust_level = "trusted"\n`).join('')}`,
    ),
  env: (lab) => ({ CODEX_HOME: `${lab.home}/.codex`, FAKE_KEY: 'dummy', RUST_LOG: 'error' }),
  attended: attend,
  call: (cmd) => ({
    tool: 'exec_command',
    input: { cmd, sandbox_permissions: 'require_escalated', justification: 'The test wants it' },
  }),
};

/** A question exists in plan mode only, which has to be typed. */
const PLAN_MODE = 'plan';

/** Codex's shared app server, which the terminal starts by itself: nothing is configured in Codex for Beckon. */
export const codex: ClientDriver = {
  ...codexSetup,
  name: 'codex',
  title: 'Codex',
  configure: (lab) => {
    codexSetup.configure(lab);
    // Codex asks for a permission before it calls a tool of `lab`, and not of `forms`.
    const server = (name: string, more: string): string =>
      `[mcp_servers.${name}]\ncommand = ${JSON.stringify(process.execPath)}\nargs = [${JSON.stringify(MCP_SERVER)}]\n${more}\n`;
    const servers = server('lab', '') + server('forms', 'default_tools_approval_mode = "approve"');
    appendFileSync(join(lab.home, '.codex/config.toml'), servers);
  },
  attended: (lab, run) => (run.args[0] === PLAN_MODE ? planWith(lab, run) : attend(lab, run)),
  connect: async () => undefined,
  cases: {
    allow: {},
    deny: { hears: /rejected by user/ },
    'deny with text': { hears: /Not on a Monday/ },
    question: {
      args: [PLAN_MODE],
      turns: [
        [
          {
            tool: 'request_user_input',
            input: {
              questions: [
                {
                  id: 'db',
                  header: 'Database',
                  question: 'Which database?',
                  options: [
                    { label: 'SQLite (Recommended)', description: 'a file' },
                    { label: 'Postgres', description: 'a server' },
                  ],
                },
              ],
            },
          },
        ],
      ],
    },
    plan: { cannot: 'A plan is no request: Codex asks about it in its terminal only' },
    form: { turns: [[{ tool: 'elicit', namespace: 'mcp__forms', input: {} }]] },
    remember: {},
    'outside first': {},
    'terminal first': {},
    'both at once': {},
    'client killed': { after: 'goes on' },
    'Beckon killed': {},
    'Beckon down': {},
    'hostile payloads': { hears: /rejected by user/ },
    'two sessions': { hears: /rejected by user/ },
    'wait of 11 minutes': {},
  },
};

/** Types the command for plan mode, then the prompt. */
function planWith(lab: ClientLab, { project, prompt }: { project: string; prompt: string }): Attended {
  const tui = lab.terminal(project, ['codex', ...FLAGS], /esc to interrupt/);
  const dialog = /Question 1\/1/;
  const typing = type();
  return {
    asks: async () => {
      await typing;
      await tui.see(dialog);
    },
    allow: () => tui.end(dialog, 'Enter'),
    deny: () => tui.end(dialog, 'Escape'),
    isDone: () => lab.poll('an end of the dialog', () => (dialog.test(tui.screen()) ? undefined : tui.screen())),
    kill: () => tui.kill(),
    close: () => tui.close(),
  };

  async function type(): Promise<void> {
    await tui.see(/Ask Codex to do anything/);
    tui.type('/plan');
    await tui.see(/› \/plan/);
    tui.press('Enter');
    await tui.see(/Plan mode/);
    tui.type(prompt);
    await tui.see(new RegExp(prompt.slice(-20)));
    tui.press('Enter');
  }
}
