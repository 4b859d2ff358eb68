import { type FSWatcher, watch } from 'node:fs';

/** Resolves when something changes in one of these folders, after `ms` at the latest, and when the signal aborts. */
export function waitForChange(folders: readonly string[], ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const watchers: FSWatcher[] = [];
    const finish = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      for (const watcher of watchers) watcher.close();
      resolve();
    };
    const timer = setTimeout(finish, ms);
    signal.addEventListener('abort', finish, { once: true });
    if (signal.aborted) return finish();
    for (const folder of folders) {
      try {
        watchers.push(watch(folder, finish).on('error', () => undefined));
      } catch {
        // It does not exist, or the system has no watchers left: the time limit remains.
      }
    }
  });
}
