import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { loadConfig } from '../../daemon/config.ts';
import { findDaemon, toStatePath } from '../../daemon/daemon-state.ts';
import { isRunning } from '../../machine/is-running.ts';
import { createCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { note, print, printJson } from '../output.ts';

/** A daemon stops within 5 seconds; one that takes longer than this hangs. */
const LIMIT_MS = 10_000;

export function createDown(): Command {
  return createCommand('down', {
    summary: 'Stop Beckon on this machine. Nothing is lost.',
    examples: [['beckon down', 'return once Beckon has stopped']],
    more: 'Exit codes: 0 stopped, or was not running; 1 does not stop.',
  })
    .option('--json', 'print JSON')
    .action(runDown);
}

async function runDown({ json = false }: { json?: boolean }): Promise<void> {
  const { home } = loadConfig();
  const path = toStatePath(home.value);
  const found = await findDaemon(path);
  if (found === null || found.liveness === 'gone') {
    rmSync(path, { force: true });
    return json ? printJson({ stopped: false, running: false }) : note(`Beckon is not running from ${home.value}.`);
  }
  const { pid } = found.state;
  process.kill(pid, 'SIGTERM');
  const giveUpAt = performance.now() + LIMIT_MS;
  while (isRunning(pid) && performance.now() < giveUpAt) await sleep(20);
  const hasStopped = !isRunning(pid);
  if (json) printJson({ stopped: hasStopped, running: !hasStopped, pid });
  else if (hasStopped) print(`Beckon (pid ${pid}) has stopped.`);
  else note(`Beckon (pid ${pid}) does not stop. Everything acknowledged is on disk. End it with: kill -9 ${pid}`);
  process.exitCode = hasStopped ? EXIT.answered : EXIT.failed;
}
