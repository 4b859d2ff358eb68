import { finishInstall } from '../claude/finish-install.ts';
import {
  DEFAULT_EVENTS,
  DEFAULT_TIMEOUT_SECONDS,
  findOwnHooks,
  mergeHooks,
  removeOwnHooks,
  toOwnHooks,
} from '../claude/hook-entries.ts';
import { findHookTarget, toHookWhere } from '../claude/hook-target.ts';
import { findMissingProgram, inspectHooks, toWays } from '../claude/inspect-hooks.ts';
import { readSettings, SCOPES, toSettingsPath, withHooks } from '../claude/settings-file.ts';
import { toOwnCommand, tryHook } from '../claude/try-hook.ts';
import type { AgentClient, AgentReport, FileChange } from './agent-client.ts';
import { findProgram } from './find-program.ts';
import { toShortPath } from './short-path.ts';

/** Claude Code, by hooks in the settings of this user. `beckon claude install` has options that this does not have. */
export const claudeCode: AgentClient = {
  name: 'claude-code',
  title: 'Claude Code',
  tested: '2.1.325',
  kinds: { question: 'yes', plan_review: 'yes', approval: 'yes', form: 'yes' },
  inspect,
  planInstall,
  planUninstall,
  finishInstall: async () => {
    const { found, caller } = await findHookTarget();
    const { done, warnings } = await finishInstall(found, caller);
    return [...done, ...warnings];
  },
};

async function inspect(): Promise<AgentReport> {
  // In the home folder, two scopes have the same file.
  const inspected = new Map(SCOPES.map(inspectHooks).map((one) => [one.report.path, one]));
  const reports = Array.from(inspected.values(), ({ report }) => report);
  const hooks = Array.from(inspected.values()).flatMap((one) => (one.report.problems.length === 0 ? one.hooks : []));
  const [found, tried] = await Promise.all([
    findProgram('claude'),
    Promise.all(toWays(hooks).map((way) => tryHook(way))),
  ]);
  const faults = tried.flatMap(({ fault }) => (fault === null ? [] : [fault]));
  const active = reports.filter(({ events, problems }) => events.length > 0 && problems.length === 0);
  const places = reports.filter(({ events }) => events.length > 0).map(({ path }) => toShortPath(path));
  const problems = reports.flatMap((report) =>
    report.problems.map((text) => (text.includes(report.path) ? text : `${report.path}: ${text}`)),
  );
  return {
    program: found.program,
    version: found.version,
    isConnected: active.length > 0 && faults.length === 0,
    how: places.length === 0 ? 'no hooks in its settings' : `hooks in ${places.join(' and ')}`,
    problems: [...found.problems, ...problems, ...faults],
  };
}

/** Hooks that are there stay as they are: somebody may have chosen their options. */
async function planInstall(): Promise<FileChange[]> {
  const file = readSettings(toSettingsPath('user'));
  const own = findOwnHooks(file.hooks).map(({ hook }) => hook);
  if (own.length > 0 && findMissingProgram(own) === undefined) return [];
  const { found } = await findHookTarget();
  const hooks = toOwnHooks({
    command: toOwnCommand(),
    events: DEFAULT_EVENTS,
    timeoutSeconds: DEFAULT_TIMEOUT_SECONDS,
    where: toHookWhere(found),
  });
  const { path, text: before } = file;
  return [{ path, before, after: withHooks(file, mergeHooks(file.hooks, hooks, path)) }];
}

async function planUninstall(): Promise<FileChange[]> {
  const file = readSettings(toSettingsPath('user'));
  if (findOwnHooks(file.hooks).length === 0) return [];
  return [{ path: file.path, before: file.text, after: withHooks(file, removeOwnHooks(file.hooks)) }];
}
