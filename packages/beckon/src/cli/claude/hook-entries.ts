import { BeckonError } from '../../protocol/errors.ts';

/** One hook in Claude Code's settings, as far as Beckon reads it. */
export interface HookEntry {
  type: string;
  command?: string;
  args?: string[];
  [key: string]: unknown;
}

/** Hooks of one event that share a matcher. */
interface HookGroup {
  matcher?: string;
  hooks: HookEntry[];
  [key: string]: unknown;
}

/** The `hooks` of a settings file. */
export type Hooks = Record<string, HookGroup[]>;

/** What the hooks should do. */
export interface HookPlan {
  /** How to run a hook: a program with its arguments, or a shell command. */
  command: readonly string[] | string;
  /** Events to report, besides those that ask. */
  events: readonly string[];
  /** How long people have to answer, in seconds. */
  timeoutSeconds: number;
  chatId?: string | undefined;
  /** The options that name the Beckon they go to. Default: the one that every command uses. */
  where?: readonly string[] | undefined;
  /**
   * A matcher of tools: a session without a terminal ends when it needs one of them, and is resumed after the decision.
   */
  deferTools?: string | undefined;
}

/** For a file shared with people who may not have Beckon. */
export const SHARED_COMMAND = 'if command -v beckon >/dev/null 2>&1; then exec {}; fi';

/**
 * Every event of Claude Code 2.1.325 that can be reported. `WorktreeCreate` is left out: its hook must create the
 * worktree.
 */
export const EVENTS = (
  'SessionStart SessionEnd Setup UserPromptSubmit UserPromptExpansion InstructionsLoaded ' +
  'PreToolUse PostToolUse PostToolUseFailure PostToolBatch PermissionRequest PermissionDenied ' +
  'Elicitation ElicitationResult Notification MessageDisplay Stop StopFailure SubagentStart ' +
  'SubagentStop TeammateIdle TaskCreated TaskCompleted PreCompact PostCompact PreModelSwitch ' +
  'PostModelSwitch ConfigChange WorktreeRemove CwdChanged FileChanged DirectoryAdded'
).split(' ');

/** The events with which Claude Code asks for something. */
const ASKING = ['PermissionRequest', 'Elicitation'];

/** What is reported by default: enough to follow a session, and to close requests answered in the terminal. */
export const DEFAULT_EVENTS = (
  'SessionStart SessionEnd UserPromptSubmit PostToolUse PostToolUseFailure Notification Stop ' +
  'StopFailure SubagentStop'
).split(' ');

/** How long people have to answer unless told otherwise: with the spare hour, Claude Code waits a day. */
export const DEFAULT_TIMEOUT_SECONDS = 23 * 3600;

/**
 * Claude Code waits for these: they must come first, or would be lost when it ends. It does not wait for the others.
 */
const AWAITED = new Set(['SessionStart', 'SessionEnd', 'Stop', 'Setup']);

/** Added to the request's timeout for Claude Code's own limit, so Beckon is the one to say that nobody answered. */
const SPARE_SECONDS = 3600;
const REPORT_SECONDS = 10;
/** A call that is deferred must have arrived, over whatever line. */
const DEFER_SECONDS = 60;

/** The program that `install` writes, built or from the sources. */
const OWN_PROGRAM = /[\\/](?:dist[\\/]cli[\\/]main\.js|src[\\/]cli[\\/]main\.ts)$/;
/** The command that `install` writes, with any options, but without anything that means something to the shell. */
const OWN_LINE = /^beckon hook claude-code(?: [\w.:@+=~/-]+)*$/;

/** The hooks that Beckon needs, by event. */
export function toOwnHooks(plan: HookPlan): Hooks {
  const always = plan.where ?? [];
  const waiting = ['--timeout', `${plan.timeoutSeconds}s`, ...always];
  if (plan.chatId !== undefined) waiting.push('--chat', plan.chatId);
  const asking = {
    ...toCommand(plan.command, waiting),
    timeout: plan.timeoutSeconds + SPARE_SECONDS,
    statusMessage: 'Waiting for an answer, also in Beckon',
  };
  const hooks: Hooks = Object.fromEntries(ASKING.map((event) => [event, [{ hooks: [asking] }]]));
  for (const event of plan.events) {
    if (ASKING.includes(event)) continue;
    const report = { ...toCommand(plan.command, always), timeout: REPORT_SECONDS };
    hooks[event] = [{ hooks: [AWAITED.has(event) ? report : { ...report, async: true }] }];
  }
  if (plan.deferTools !== undefined) {
    const entry = { ...toCommand(plan.command, [...waiting, '--defer']), timeout: DEFER_SECONDS };
    const deferred = { matcher: plan.deferTools, hooks: [entry] };
    // The deferring hook reports its own calls, so the report is for the other tools.
    const reports = plan.deferTools === '*' ? [] : (hooks['PreToolUse'] ?? []);
    const matcher = toOpposite(plan.deferTools);
    hooks['PreToolUse'] = [deferred, ...reports.map((report) => ({ matcher, ...report }))];
  }
  return hooks;
}

/** Replaces Beckon's hooks, those of Claude Code unless told otherwise, and keeps all others. Throws `invalid_input`, with `path`, if it cannot. */
export function mergeHooks(hooks: Hooks, own: Hooks, path: string, isOurs = isOwn): Hooks {
  const merged = removeOwnHooks(hooks, isOurs);
  for (const [event, groups] of Object.entries(own)) {
    const { [event]: others = [] } = merged;
    if (!Array.isArray(others)) {
      throw new BeckonError(
        'invalid_input',
        `${path} has hooks of ${JSON.stringify(event)} that are not a list. Beckon does not touch it. Repair it first.`,
      );
    }
    merged[event] = [...others, ...groups];
  }
  return merged;
}

/** Removes exactly Beckon's hooks, and what is empty without them. */
export function removeOwnHooks(hooks: Hooks, isOurs = isOwn): Hooks {
  const kept: Hooks = {};
  for (const [event, groups] of Object.entries(hooks)) {
    // Anything unexpected is somebody else's.
    if (!Array.isArray(groups)) {
      kept[event] = groups;
      continue;
    }
    const others = groups.flatMap((group) => {
      if (!Array.isArray(group?.hooks) || !group.hooks.some(isOurs)) return [group];
      const rest = group.hooks.filter((hook) => !isOurs(hook));
      return rest.length === 0 ? [] : [{ ...group, hooks: rest }];
    });
    if (others.length > 0 || groups.length === 0) kept[event] = others;
  }
  return kept;
}

/** Beckon's hooks among others, with their events. */
export function findOwnHooks(hooks: Hooks, isOurs = isOwn): { event: string; hook: HookEntry }[] {
  return Object.entries(hooks).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : []).flatMap((group) =>
      (Array.isArray(group?.hooks) ? group.hooks : []).filter(isOurs).map((hook) => ({ event, hook })),
    ),
  );
}

function isOwn(hook: HookEntry): boolean {
  return findOwnArguments(hook) !== null;
}

/** The arguments after `beckon hook claude-code`; `null` if the hook is not Beckon's. */
export function findOwnArguments(hook: HookEntry): string[] | null {
  if (hook?.type !== 'command') return null;
  if (Array.isArray(hook.args)) {
    const at = hook.args.indexOf('hook');
    const isOwnProgram = OWN_PROGRAM.test(hook.args[at - 1] ?? '') && hook.args[at + 1] === 'claude-code';
    return isOwnProgram ? hook.args.slice(at + 2).map(String) : null;
  }
  const [before = '', after = ''] = SHARED_COMMAND.split('{}');
  const { command } = hook;
  if (typeof command !== 'string' || !command.startsWith(before) || !command.endsWith(after)) return null;
  const line = command.slice(before.length, -after.length);
  return OWN_LINE.test(line) ? line.split(' ').slice(3) : null;
}

/**
 * Matches the tools that a matcher of Claude Code does not. A list of names matches whole names, anything else is a
 * pattern.
 */
function toOpposite(matcher: string): string {
  if (!/^[\w|, -]+$/.test(matcher)) return `^(?!.*(?:${matcher}))`;
  return `^(?!(?:${matcher.trim().replaceAll(/\s*[|,]\s*/g, '|')})$)`;
}

function toCommand(command: HookPlan['command'], more: readonly string[]): HookEntry {
  if (typeof command === 'string') {
    return { type: 'command', command: command.replace('{}', ['beckon hook claude-code', ...more].join(' ')) };
  }
  const [program = '', ...args] = command;
  return { type: 'command', command: program, args: [...args, 'hook', 'claude-code', ...more] };
}
