import type { Command } from 'commander';
import type { HookEntry } from '../claude/hook-entries.ts';
import { inspectHooks, type ScopeReport, toWays } from '../claude/inspect-hooks.ts';
import { SCOPES } from '../claude/settings-file.ts';
import { type HookCommand, type TriedHook, toOwnCommand, tryHook } from '../claude/try-hook.ts';
import { addClientOptions, type ClientOptions, toWhereFlags } from '../client.ts';
import { createCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { paint, print, printJson } from '../output.ts';

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
    const inspected = SCOPES.map(inspectHooks);
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
  if (hooks.length > 0 && flags.length === 0) return toWays(hooks);
  const [command = '', ...args] = toOwnCommand();
  return [{ command, args: [...args, 'hook', 'claude-code', ...flags] }];
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
