import { type Command, CommanderError } from 'commander';
import { readVersion } from '../daemon/version.ts';
import { BeckonError } from '../protocol/errors.ts';
import { createGroup, toFault } from './command.ts';
import { EXIT, toErrorExitCode } from './exit-codes.ts';
import { note, printJson } from './output.ts';

/** Every command, in the order of the help. Only the one that runs is loaded. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  up: async () => (await import('./commands/up.ts')).createUp(),
  status: async () => (await import('./commands/status.ts')).createStatus(),
  down: async () => (await import('./commands/down.ts')).createDown(),
  open: async () => (await import('./commands/open.ts')).createOpen(),
  login: async () => (await import('./commands/login.ts')).createLogin(),
  logout: async () => (await import('./commands/logout.ts')).createLogout(),
  whoami: async () => (await import('./commands/whoami.ts')).createWhoami(),
  profiles: async () => (await import('./commands/profiles.ts')).createProfiles(),
  ask: async () => (await import('./commands/ask.ts')).createAsk(),
  answer: async () => (await import('./commands/answer.ts')).createAnswer(),
  inbox: async () => (await import('./commands/inbox.ts')).createInbox(),
  telegram: async () => (await import('./commands/telegram.ts')).createTelegram(),
  slack: async () => (await import('./commands/slack.ts')).createSlack(),
  list: async () => (await import('./commands/list.ts')).createList(),
  history: async () => (await import('./commands/history.ts')).createHistory(),
  notify: async () => (await import('./commands/notify.ts')).createNotify(),
  policy: async () => (await import('./commands/policy.ts')).createPolicy(),
  rules: async () => (await import('./commands/rules.ts')).createRules(),
  show: async () => (await import('./commands/show.ts')).createShow(),
  watch: async () => (await import('./commands/watch.ts')).createWatch(),
  cancel: async () => (await import('./commands/cancel.ts')).createCancel(),
  say: async () => (await import('./commands/say.ts')).createSay(),
  agents: async () => (await import('./commands/agents.ts')).createAgents(),
  claude: async () => (await import('./commands/claude.ts')).createClaude(),
  codex: async () => (await import('./commands/codex.ts')).createCodex(),
  acp: async () => (await import('./commands/acp.ts')).createAcp(),
  opencode: async () => (await import('./commands/one-agent.ts')).createOpencode(),
  pi: async () => (await import('./commands/one-agent.ts')).createPi(),
  mcp: async () => (await import('./commands/mcp.ts')).createMcp(),
  hook: async () => (await import('./commands/hook.ts')).createHook(),
  token: async () => (await import('./commands/token.ts')).createToken(),
  spool: async () => (await import('./commands/spool.ts')).createSpool(),
  outbox: async () => (await import('./commands/outbox.ts')).createOutbox(),
  discover: async () => (await import('./commands/discover.ts')).createDiscover(),
  doctor: async () => (await import('./commands/doctor.ts')).createDoctor(),
};

/**
 * Runs one command and gives its exit code. Never throws: a failure is one line on stderr that says what to do next.
 */
export async function runCli(args: readonly string[]): Promise<number> {
  // A reader of the output, such as `head`, may close it early.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.answered);
    throw error;
  });
  try {
    const program = await createProgram(args[0]);
    await program.parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? EXIT.answered);
  } catch (error) {
    return report(error, args.includes('--json'));
  }
}

async function createProgram(name: string | undefined): Promise<Command> {
  const program = createGroup('beckon', {
    summary: 'Beckon holds your agents’ questions until someone answers.',
    examples: [
      ['beckon up', 'start Beckon on this machine'],
      ['beckon open', 'open the inbox page in your browser'],
      ['beckon ask "Deploy?" --option yes --option no', 'ask, wait, and print the answer'],
      ['beckon inbox', 'answer pending requests with the keyboard'],
      ['beckon answer ID yes', 'answer one request'],
    ],
    more: 'Settings come from options, environment variables, beckon.config.json and defaults. "beckon doctor" shows them all.',
  }).version(readVersion(), '-V, --version', 'print the version');
  const load = name === undefined ? undefined : COMMANDS[name];
  const commands = load === undefined ? Object.values(COMMANDS) : [load];
  for (const command of await Promise.all(commands.map((one) => one()))) program.addCommand(command);
  return program;
}

function report(error: unknown, isJson: boolean): number {
  if (error instanceof CommanderError) return reportUsage(error, isJson);
  const message = error instanceof Error ? error.message : String(error);
  if (isJson) {
    printJson({ error: { code: error instanceof BeckonError ? error.code : 'internal', message } });
  }
  note(message);
  if (process.env['BECKON_DEBUG'] !== undefined && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  else if (!(error instanceof BeckonError))
    note('This is a bug in Beckon. Run the command again with BECKON_DEBUG=1 for details.');
  return toErrorExitCode(error);
}

/** Commander has already written to stderr what is wrong. Help and version are not failures. */
function reportUsage({ exitCode, message }: CommanderError, isJson: boolean): number {
  if (exitCode === 0) return EXIT.answered;
  if (isJson) printJson({ error: { code: 'invalid_input', message: toFault(message) } });
  return EXIT.usage;
}
