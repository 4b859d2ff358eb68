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
