/**
 * Whether an earlier process that left this number behind still runs. It does not if the number is our own: in a
 * container every start may get the same one.
 */
export function isStillRunning(pid: number): boolean {
  return pid !== process.pid && isRunning(pid);
}

/** Whether this machine has a process with this number. It may be another program that got the number later. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user exists too, although it may not be signaled.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
