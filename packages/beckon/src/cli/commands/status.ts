import type { Command } from 'commander';
import { toLocalTime } from '../../connectors/terminal/describe.ts';
import { createCommand } from '../command.ts';
import { loadConfig } from '../config.ts';
import { findDaemon, toStatePath } from '../daemon-state.ts';
import { EXIT } from '../exit-codes.ts';
import { note, paint, print, printJson } from '../output.ts';

export function createStatus(): Command {
  return createCommand('status', {
    summary: 'Say whether Beckon runs on this machine, and where.',
    examples: [['beckon status --json', '{ "running": true, "url", "pid", "version", "store", "startedAt" }']],
    more: 'Exit codes: 0 it runs, 6 it does not.',
  })
    .option('--json', 'print JSON')
    .action(runStatus);
}

async function runStatus({ json = false }: { json?: boolean }): Promise<void> {
  const { home } = loadConfig();
  const found = await findDaemon(toStatePath(home.value));
  const isRunning = found?.liveness === 'alive';
  process.exitCode = isRunning ? EXIT.answered : EXIT.unreachable;
  if (json) return printJson({ running: isRunning, ...(found?.liveness !== 'gone' && found?.state) });
  if (found === null || found.liveness === 'gone')
    return note(`No Beckon runs from ${home.value}. Start it with: beckon up`);
  const { pid, url, version, store, startedAt } = found.state;
  if (!isRunning) {
    return note(
      url === undefined
        ? `A Beckon (pid ${pid}) is starting.`
        : `A Beckon (pid ${pid}) is there, but ${url} does not answer.`,
    );
  }
  print(`Beckon ${version} runs at ${paint('cyan', url ?? '')}`);
  print(`  pid     ${pid}, since ${toLocalTime(startedAt)}`);
  print(`  store   ${store}`);
}
