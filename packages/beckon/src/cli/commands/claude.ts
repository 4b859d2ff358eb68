import { type Command, Option } from 'commander';
import { Duration, toMilliseconds } from '../../protocol/duration.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { Id } from '../../protocol/ids.ts';
import { parse } from '../../protocol/parse.ts';
import { findBeckon } from '../../where/find-beckon.ts';
import { type AppliedChanges, applyInstall, applyUninstall, type ChangeOptions } from '../agents/apply-changes.ts';
import { finishInstall } from '../claude/finish-install.ts';
import {
  DEFAULT_EVENTS,
  DEFAULT_TIMEOUT_SECONDS,
  EVENTS,
  findOwnHooks,
  type HookPlan,
  mergeHooks,
  removeOwnHooks,
  SHARED_COMMAND,
  toOwnHooks,
} from '../claude/hook-entries.ts';
import { checkHookCaller, findHookCaller, toHookWhere } from '../claude/hook-target.ts';
import { readSettings, SCOPES, type Scope, toSettingsPath, withHooks } from '../claude/settings-file.ts';
import { toOwnCommand } from '../claude/try-hook.ts';
import { createCommand, createGroup } from '../command.ts';
import { note, print, printJson } from '../output.ts';
import { createClaudeResume } from './claude-resume.ts';
import { createClaudeStatus } from './claude-status.ts';

interface ScopedOptions extends ChangeOptions {
  scope: Scope;
}

interface InstallOptions extends ScopedOptions {
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
      .option('--timeout <duration>', 'how long people have to answer', `${DEFAULT_TIMEOUT_SECONDS / 3600}h`)
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
  ).action(async (options: ScopedOptions) => {
    const file = readSettings(toSettingsPath(options.scope));
    if (findOwnHooks(file.hooks).length === 0) {
      if (options.json === true) return printJson({ path: file.path, changed: false });
      return print(`There are no Beckon hooks in ${file.path}.`);
    }
    const { path, text: before } = file;
    const after = withHooks(file, removeOwnHooks(file.hooks));
    report(path, await applyUninstall([{ path, before, after }], options), options);
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
  const { path, text: before } = file;
  const after = withHooks(file, mergeHooks(file.hooks, toOwnHooks(plan), path));
  const applied = await applyInstall([{ path, before, after }], options, () => findOwnHooks(file.hooks).length > 0);
  report(path, applied, options);
  if (options.dryRun === true || applied.outcome === 'declined') return;
  const { done, warnings } = await finishInstall(found, caller);
  for (const text of done) (options.json === true ? note : print)(text);
  for (const text of warnings) note(text);
}

/** Prints what became of the one file that these commands change. */
function report(path: string, { outcome, changes }: AppliedChanges, { json = false }: ChangeOptions): void {
  const { backup, diff, isRemoved = false } = changes[0] ?? {};
  if (outcome === 'none') {
    if (json) printJson({ path, changed: false });
    else print(`${path} is up to date; nothing to change.`);
  } else if (outcome === 'shown') {
    if (json) printJson({ path, changed: false, wouldChange: true, diff });
  } else if (outcome === 'made') {
    if (json) printJson({ path, changed: true, ...(backup !== undefined && { backup }) });
    else
      print(
        `${isRemoved ? 'Removed' : 'Changed'} ${path}.${backup === undefined ? '' : ` The previous version is in ${backup}.`}`,
      );
  }
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
