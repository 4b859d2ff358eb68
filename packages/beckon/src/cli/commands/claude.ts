import { type Command, Option } from 'commander';
import { loadConfig } from '../../daemon/config.ts';
import { findDaemon, toStatePath } from '../../daemon/daemon-state.ts';
import type { Me } from '../../protocol/account.ts';
import { Duration, toMilliseconds } from '../../protocol/duration.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { Id } from '../../protocol/ids.ts';
import { parse } from '../../protocol/parse.ts';
import { type FoundBeckon, findBeckon } from '../../where/find-beckon.ts';
import { toDiff } from '../claude/diff.ts';
import {
  DEFAULT_EVENTS,
  EVENTS,
  findOwnHooks,
  type HookPlan,
  mergeHooks,
  removeOwnHooks,
  SHARED_COMMAND,
  toOwnHooks,
} from '../claude/hook-entries.ts';
import { checkHookCaller, findHookCaller, toHookWhere } from '../claude/hook-target.ts';
import { ensureHookToken } from '../claude/hook-token.ts';
import {
  readSettings,
  SCOPES,
  type Scope,
  type SettingsFile,
  toSettingsPath,
  withHooks,
  writeSettings,
} from '../claude/settings-file.ts';
import { toOwnCommand } from '../claude/try-hook.ts';
import { createCommand, createGroup } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { note, paint, print, printJson } from '../output.ts';
import { createClaudeResume } from './claude-resume.ts';
import { createClaudeStatus } from './claude-status.ts';

interface ChangeOptions {
  scope: Scope;
  dryRun?: boolean;
  yes?: boolean;
  json?: boolean;
}

interface InstallOptions extends ChangeOptions {
  url?: string;
  profile?: string;
  events?: string;
  timeout: string;
  chat?: string;
  defer?: boolean | string;
}

/** Tools that change something, or that ask. */
const DEFER_TOOLS = 'Bash|Write|Edit|NotebookEdit|WebFetch|AskUserQuestion|ExitPlanMode|mcp__.*';

export function createClaude(): Command {
  const claude = createGroup('claude', {
    summary: 'Send questions, plans, permissions and forms of Claude Code to Beckon.',
    examples: [
      ['beckon claude install', 'install for all your projects; shows the change first'],
      ['beckon claude install --scope project', 'install for everyone on this project'],
      ['beckon claude status', 'show which hooks are active, and test them'],
      ['beckon claude uninstall', 'remove exactly what install added'],
    ],
  });
  claude.addCommand(createInstall());
  claude.addCommand(createUninstall());
  claude.addCommand(createClaudeStatus());
  claude.addCommand(createClaudeResume());
  return claude;
}

function createInstall(): Command {
  return addChangeOptions(
    createCommand('install', {
      summary: 'Add Beckon’s hooks to the settings of Claude Code. Existing settings stay.',
      examples: [
        ['beckon claude install --dry-run', 'show the change without making it'],
        ['beckon claude install --events all --yes', 'report every event, and do not ask for confirmation'],
        ['beckon claude install --timeout 30m', 'after 30 minutes, only the terminal asks'],
        ['beckon claude install --scope local --defer', 'end headless sessions while they wait'],
        ['beckon claude install --profile team', 'ask at a Beckon that you are logged in to'],
      ],
      more:
        `Reported by default: ${DEFAULT_EVENTS.join(', ')}.\n` +
        'With --defer, a headless session (claude -p) ends instead of waiting. Continue it with: beckon claude resume SESSION\n' +
        'The hooks name the Beckon that is in use now: a later "beckon login" does not move them. In the scope "project" they\n' +
        'name one only with --profile or --url, because others have their own.',
    })
      .option('--events <names>', 'events to report: default, all, none, or names separated by commas')
      .option('--timeout <duration>', 'how long people have to answer', '23h')
      .option('--chat <id>', 'the chat to ask in')
      .option('--profile <name>', 'the Beckon that they go to, from "beckon login", or "local"')
      .option('--url <url>', 'the same, by its address')
      .option('--defer [tools]', 'end headless sessions while these tools wait (a Claude Code matcher)'),
  ).action(runInstall);
}

function createUninstall(): Command {
  return addChangeOptions(
    createCommand('uninstall', {
      summary: 'Remove Beckon’s hooks, and nothing else, from the settings of Claude Code.',
      examples: [['beckon claude uninstall --scope project', 'for everyone on this project']],
    }),
  ).action(async (options: ChangeOptions) => {
    const file = readSettings(toSettingsPath(options.scope));
    if (findOwnHooks(file.hooks).length === 0) {
      if (options.json === true) return printJson({ path: file.path, changed: false });
      return print(`There are no Beckon hooks in ${file.path}.`);
    }
    await change(file, withHooks(file, removeOwnHooks(file.hooks)), options);
  });
}

function addChangeOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--scope <scope>',
        'user: all your projects; project: everyone on this project; local: only you, in this project',
      )
        .choices(SCOPES)
        .default('user'),
    )
    .option('--dry-run', 'show the change without making it')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print JSON');
}

async function runInstall(options: InstallOptions): Promise<void> {
  const { scope, url, profile } = options;
  // Before anything is changed: the profile may not exist, or its token may be wrong.
  const found = findBeckon({ flags: { url, profile } });
  const caller = found.isOwn || options.dryRun === true ? null : await findHookCaller(found);
  if (caller !== null) checkHookCaller(found, caller);
  const isNamed = scope !== 'project' || url !== undefined || profile !== undefined;
  const plan: HookPlan = {
    command: scope === 'project' ? SHARED_COMMAND : toOwnCommand(),
    events: parseEvents(options.events),
    timeoutSeconds: parseTimeout(options.timeout),
    chatId: options.chat === undefined ? undefined : parse(Id, options.chat, { what: '--chat' }),
    where: isNamed ? toHookWhere(found) : [],
    deferTools: options.defer === true ? DEFER_TOOLS : options.defer || undefined,
  };
  const file = readSettings(toSettingsPath(scope));
  const isChanged = await change(file, withHooks(file, mergeHooks(file.hooks, toOwnHooks(plan), file.path)), options);
  if (options.dryRun === true || isChanged === 'declined') return;
  if (found.isOwn) await prepareToken(options);
  else sayWhere(found, caller, options);
}

/** Shows a change, asks for confirmation, and makes it. */
async function change(file: SettingsFile, text: string, options: ChangeOptions): Promise<'made' | 'none' | 'declined'> {
  const { path } = file;
  const { json = false, dryRun = false, yes = false } = options;
  if (text === file.text) {
    if (json) printJson({ path, changed: false });
    else print(`${path} is up to date; nothing to change.`);
    return 'none';
  }
  const diff = toDiff(file.text ?? '', text);
  if (!json) showDiff(path, diff);
  if (dryRun) {
    if (json) printJson({ path, changed: false, wouldChange: true, diff });
    return 'declined';
  }
  if (!yes && !(await confirm(path))) {
    note('Nothing was changed.');
    process.exitCode = EXIT.cancelled;
    return 'declined';
  }
  const backup = writeSettings(file, text, new Date());
  if (json) printJson({ path, changed: true, ...(backup !== undefined && { backup }) });
  else print(`Changed ${path}.${backup === undefined ? '' : ` The previous version is in ${backup}.`}`);
  return 'made';
}

function showDiff(path: string, diff: readonly string[]): void {
  print(paint('bold', path));
  for (const line of diff) {
    if (line.startsWith('+')) print(paint('green', line));
    else if (line.startsWith('-')) print(paint('red', line));
    else print(line);
  }
}

async function confirm(path: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new BeckonError(
      'invalid_input',
      `Cannot ask for confirmation without a terminal. Add --yes to change ${path}, or --dry-run to see the change.`,
    );
  }
  const clack = await import('@clack/prompts');
  return (await clack.confirm({ message: 'Make this change?' })) === true;
}

/** Hooks for a Beckon elsewhere need no Beckon on this machine. */
function sayWhere(found: FoundBeckon, caller: Me | null, { json = false }: InstallOptions): void {
  const { url, from, tokenFrom } = found;
  const say = json ? note : print;
  say(`Hooks go to ${url} (${from})${caller === null ? '' : `, as ${caller.who}`}.`);
  if (caller === null) note(`Beckon at ${url} cannot be reached now. Until it can, Claude Code goes on without it.`);
  if (tokenFrom === 'BECKON_TOKEN') {
    note(`Claude Code must have the same BECKON_TOKEN. To keep a token instead, run: beckon login ${url}`);
  }
  if (from === 'BECKON_HOST' || from === 'BECKON_PORT') {
    note(
      `Claude Code must have the same ${from}, or its hooks go elsewhere. To keep the address, run: beckon login ${url}`,
    );
  }
  say('New sessions of Claude Code will ask there too. Check with: beckon claude status');
}

async function prepareToken({ json = false }: InstallOptions): Promise<void> {
  const { home } = loadConfig();
  const say = json ? note : print;
  try {
    const done = await ensureHookToken(home.value, 'claude-code');
    if (done !== null) say(done);
  } catch (error) {
    if (!(error instanceof BeckonError)) throw error;
    note(`The hooks use your own token, because Beckon could not create one for them: ${error.message}`);
  }
  const found = await findDaemon(toStatePath(home.value));
  if (found?.liveness !== 'alive') say('Beckon is not running yet. Start it with: beckon up');
  say('New sessions of Claude Code will ask here too. Check with: beckon claude status');
}

function parseEvents(text = 'default'): string[] {
  if (text === 'default') return DEFAULT_EVENTS;
  if (text === 'all') return EVENTS;
  if (text === 'none') return [];
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !EVENTS.includes(name));
  if (unknown === undefined) return names;
  const why =
    unknown === 'WorktreeCreate'
      ? 'WorktreeCreate cannot be reported, because its hook would have to create the worktree.'
      : `${JSON.stringify(unknown)} is not an event of Claude Code.`;
  throw new BeckonError('invalid_input', `${why} Choose from: ${EVENTS.join(', ')}`);
}

function parseTimeout(text: string): number {
  const typed = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
  const seconds = Math.ceil(toMilliseconds(parse(Duration, typed, { what: '--timeout' })) / 1000);
  if (seconds >= 1 && seconds <= 2_000_000) return seconds;
  throw new BeckonError('invalid_input', `Expected --timeout to be from 1s to 23d, got ${JSON.stringify(text)}.`);
}
