import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { BeckonError } from '../../protocol/errors.ts';
import { findAddress } from '../claude/hook-address.ts';
import { findOwnHooks } from '../claude/hook-entries.ts';
import { post } from '../claude/hook-post.ts';
import { readSettings, SCOPES, type Scope, toSettingsPath } from '../claude/settings-file.ts';
import { createCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { paint, print, printJson } from '../output.ts';

/** What is in the settings of one scope. */
interface ScopeReport {
  scope: Scope;
  path: string;
  events: string[];
  problems: string[];
}

/** A test gets its reply sooner. */
const LIMIT_MS = 3000;

export function createClaudeStatus(): Command {
  return createCommand('status', {
    summary: 'Show which hooks are active in this folder, and test them.',
    examples: [['beckon claude status --json', '{ "scopes": […], "works": true }']],
    more: 'Exit codes: 0 hooks are active and Beckon replies, 1 otherwise.',
  })
    .option('--json', 'print JSON')
    .action(async ({ json = false }: { json?: boolean }) => {
      const scopes = SCOPES.map(inspect);
      const fault = await tryHook();
      const isActive = scopes.some(({ events, problems }) => events.length > 0 && problems.length === 0);
      const works = isActive && fault === null;
      process.exitCode = works ? EXIT.answered : EXIT.failed;
      if (json) return printJson({ scopes, works, ...(fault !== null && { fault }) });
      for (const report of scopes) show(report);
      if (fault !== null) print(`${paint('red', 'fails')}  ${fault}`);
      else if (works) print(`${paint('green', 'works')}  Beckon replied to a test hook.`);
      else print(`${paint('yellow', 'ready')}  Beckon replied, but no hooks are active in this folder.`);
      if (!isActive) print('Install the hooks with: beckon claude install');
    });
}

function inspect(scope: Scope): ScopeReport {
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
    return { scope, path, events: own.map(({ event }) => event), problems };
  } catch (error) {
    if (!(error instanceof BeckonError)) throw error;
    return { scope, path, events: [], problems: [error.message] };
  }
}

function show({ scope, path, events, problems }: ScopeReport): void {
  const what = events.length === 0 ? paint('dim', 'no Beckon hooks') : `${events.length} hooks: ${events.join(', ')}`;
  print(`${scope.padEnd(8)} ${path}\n         ${what}`);
  for (const problem of problems) print(`         ${paint('red', problem)}`);
}

/** Sends a hook that changes nothing. Returns what is wrong, or `null`. */
async function tryHook(): Promise<string | null> {
  const address = findAddress();
  if (address === null) return 'Beckon is not running, so Claude Code goes on without it. Start it with: beckon up';
  const { url, token } = address;
  if (token === undefined) {
    return `There is no token for the Beckon at ${url}. If it is on this machine, run "beckon claude install"; otherwise set BECKON_TOKEN.`;
  }
  const reply = await post({
    url: new URL('/hooks/claude', url),
    token,
    key: `test_${process.pid}`,
    text: JSON.stringify({ hook_event_name: 'BeckonTest', session_id: 'beckon-test' }),
    limitMs: LIMIT_MS,
  });
  switch (reply.result) {
    case 'replied':
      return null;
    case 'lost':
      return `Beckon at ${url} did not reply in time. Try again in a moment.`;
    case 'refused':
      return reply.status === undefined
        ? `Beckon is not running at ${url}. Start it with: beckon up`
        : `Beckon at ${url} rejected the hook (HTTP ${reply.status}). Run "beckon claude install" again for a new token.`;
  }
}
