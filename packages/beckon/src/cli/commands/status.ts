import type { Command } from 'commander';
import { loadConfig } from '../../daemon/config.ts';
import { findDaemon, toStatePath } from '../../daemon/daemon-state.ts';
import { findProblems } from '../../daemon/health.ts';
import { toLocalTime } from '../../terminal/describe.ts';
import { readProfiles } from '../../where/profiles.ts';
import { createCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { note, paint, print, printJson } from '../output.ts';

export function createStatus(): Command {
  return createCommand('status', {
    summary: 'Show whether Beckon is running on this machine, and where.',
    examples: [
      ['beckon status --json', '{ "running": true, "ready": true, "url", "pid", "version", "store", "startedAt" }'],
    ],
    more: 'Exit codes: 0 running, 1 starting or not reachable, 6 not running.',
  })
    .option('--json', 'print JSON')
    .action(runStatus);
}

async function runStatus({ json = false }: { json?: boolean }): Promise<void> {
  const { home } = loadConfig();
  const found = await findDaemon(toStatePath(home.value));
  if (found === null || found.liveness === 'gone') {
    process.exitCode = EXIT.unreachable;
    if (json) return printJson({ running: false, status: 'stopped' });
    return note(`Beckon is not running from ${home.value}. ${toNext(home.value)}`);
  }
  const { pid, url, networkUrl, version, store, startedAt } = found.state;
  if (found.liveness !== 'alive') {
    process.exitCode = EXIT.failed;
    const reason = found.liveness === 'silent' ? found.reason : undefined;
    if (json) return printJson({ running: false, status: found.liveness, ...(reason && { reason }), ...found.state });
    if (reason === undefined) return note(`Beckon (pid ${pid}) is starting.`);
    return note(`Beckon (pid ${pid}) is running, but cannot be reached at ${url}: ${reason}. See its log for details.`);
  }
  process.exitCode = EXIT.answered;
  const problems = await findProblems(url ?? '', found.state.certificates);
  if (json) {
    const ready = problems.length === 0 ? { ready: true } : { ready: false, problems };
    return printJson({ running: true, status: 'running', ...ready, ...found.state });
  }
  print(`Beckon ${version} is running at ${paint('cyan', url ?? '')}`);
  print(`  pid     ${pid}, since ${toLocalTime(startedAt)}`);
  if (networkUrl !== undefined) print(`  others  ${networkUrl}`);
  print(`  store   ${store}`);
  for (const problem of problems) note(`Beckon is not ready. ${problem}`);
}

/** Whoever is logged in to a Beckon elsewhere needs none here. */
function toNext(home: string): string {
  const { current, profiles } = readProfiles(home);
  const elsewhere = current === undefined ? undefined : profiles[current];
  if (elsewhere === undefined) return 'Start it with: beckon up';
  return `Commands use the one at ${elsewhere.url} (profile "${current}"). See: beckon whoami`;
}
