import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { BeckonError } from '../../protocol/errors.ts';
import { findOwnArguments, findOwnHooks, type HookEntry } from '../claude/hook-entries.ts';
import { readSettings, SCOPES, type Scope, toSettingsPath } from '../claude/settings-file.ts';
import { type HookCommand, type TriedHook, toOwnCommand, tryHook } from '../claude/try-hook.ts';
import { addClientOptions, type ClientOptions, toWhereFlags } from '../client.ts';
import { createCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { parseHookOptions } from '../hook/hook-options.ts';
import { paint, print, printJson } from '../output.ts';

/** What is in the settings of one scope. */
interface ScopeReport {
  scope: Scope;
  path: string;
  events: string[];
  problems: string[];
}

export function createClaudeStatus(): Command {
  return addClientOptions(
    createCommand('status', {
      summary: 'Show which hooks are active in this folder, and test them.',
      examples: [
        ['beckon claude status --json', '{ "scopes": […], "works": true, "url", "targets": […] }'],
        ['beckon claude status --profile team', 'test hooks that go to this Beckon'],
      ],
      more:
        'A test runs the hook command as Claude Code does, with the options that are installed, and waits for its reply.\n' +
        'Exit codes: 0 hooks are active and Beckon replies, 1 otherwise.',
    }),
  ).action(async (options: ClientOptions) => {
    const inspected = SCOPES.map(inspect);
    const scopes = inspected.map(({ report }) => report);
    const targets = [];
    for (const command of chooseCommands(options, inspected)) targets.push(await tryHook(command));
    const { url, fault } = targets.find((target) => target.fault !== null) ?? targets.at(-1) ?? { fault: null };
    const isActive = scopes.some(({ events, problems }) => events.length > 0 && problems.length === 0);
    const works = isActive && fault === null;
    process.exitCode = works ? EXIT.answered : EXIT.failed;
    if (options.json === true) {
      return printJson({ scopes, works, targets, ...(url !== undefined && { url }), ...(fault !== null && { fault }) });
    }
    for (const report of scopes) show(report);
    for (const target of targets) showTarget(target, isActive);
    if (!isActive) print('Install the hooks with: beckon claude install');
  });
}

/** The active hooks, each once, or hooks with these options. */
function chooseCommands(options: ClientOptions, inspected: readonly { hooks: HookEntry[] }[]): HookCommand[] {
  const flags = Object.entries(toWhereFlags(options)).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
  const hooks = inspected.flatMap((one) => one.hooks);
  if (hooks.length === 0 || flags.length > 0) {
    const [command = '', ...args] = toOwnCommand();
    return [{ command, args: [...args, 'hook', 'claude-code', ...flags] }];
  }
  // Hooks that differ only in what they ask take the same way.
  const toWay = (hook: HookEntry): string =>
    JSON.stringify([hook.command, hook.args?.slice(0, 1), parseHookOptions(findOwnArguments(hook) ?? []).where]);
  const ways = new Map(hooks.map((hook) => [toWay(hook), hook]));
  return Array.from(ways.values(), ({ command = '', args }) => ({ command, args }));
}

function inspect(scope: Scope): { report: ScopeReport; hooks: HookEntry[] } {
  const path = toSettingsPath(scope);
  try {
    const { settings, hooks } = readSettings(path);
    const own = findOwnHooks(hooks);
    const problems: string[] = [];
    if (own.length > 0 && settings['disableAllHooks'] === true) problems.push('"disableAllHooks" turns them off');
    const missing = own
      .flatMap(({ hook }) => [hook.command ?? '', hook.args?.[0] ?? ''])
      .find((program) => program.startsWith('/') && !existsSync(program));
    if (missing !== undefined) problems.push(`${missing} no longer exists. Run "beckon claude install" again.`);
    const report = { scope, path, events: own.map(({ event }) => event), problems };
    return { report, hooks: own.map(({ hook }) => hook) };
  } catch (error) {
    if (!(error instanceof BeckonError)) throw error;
    return { report: { scope, path, events: [], problems: [error.message] }, hooks: [] };
  }
}

function show({ scope, path, events, problems }: ScopeReport): void {
  const what = events.length === 0 ? paint('dim', 'no Beckon hooks') : `${events.length} hooks: ${events.join(', ')}`;
  print(`${scope.padEnd(8)} ${path}\n         ${what}`);
  for (const problem of problems) print(`         ${paint('red', problem)}`);
}

function showTarget({ url, profile, token, replyMs, tookMs, spool, fault }: TriedHook, isActive: boolean): void {
  if (url !== undefined) {
    const by = profile === undefined ? '' : `, profile ${profile}`;
    const as = token === undefined ? '' : `, as ${token.name} (${token.role})`;
    print(`to       ${url}${by}${as}`);
  }
  if (fault !== null) print(`${paint('red', 'fails')}    ${fault}`);
  else if (isActive)
    print(`${paint('green', 'works')}    Beckon replied to a test hook in ${replyMs} ms; all of it took ${tookMs} ms.`);
  else print(`${paint('yellow', 'ready')}    Beckon replied, but no hooks are active in this folder.`);
  if (spool === undefined) return;
  const { hooks, bytes, dropped } = spool;
  if (hooks > 0) print(`waiting  ${hooks} reports (${Math.ceil(bytes / 1024)} KiB). Send them with: beckon spool send`);
  if (dropped > 0) print(`lost     ${dropped} reports, because too many waited.`);
}
