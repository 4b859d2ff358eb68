import type { ChildProcess } from 'node:child_process';

/** Kills a process at the latest when this one ends, by Ctrl-C too, and before the folder of the run is removed. */
export function endWithUs(child: ChildProcess): void {
  const kill = (): void => void child.kill('SIGKILL');
  process.prependOnceListener('exit', kill);
  child.once('exit', () => process.off('exit', kill));
}
