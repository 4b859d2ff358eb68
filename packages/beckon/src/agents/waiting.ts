import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { isRunning } from '../machine/is-running.ts';
import { makePrivateFolder, writePrivateFile } from '../machine/private-file.ts';
import { readJsonFile } from '../where/read-file.ts';

/** The requests that one process waits for. */
const Waiting = z.object({
  title: z.string(),
  /** Numbers of processes mean nothing in another container. */
  host: z.string(),
  pid: z.number(),
  startedAt: z.number(),
  ids: z.array(z.string()),
});

/**
 * Notes in a file of this process what it waits for, so that it is ended if the process dies. The function that is
 * returned takes ids, and gives one that forgets them. Notes only help later, so it never throws.
 */
export function openWaiting(folder: string, title: string): (ids: readonly string[]) => () => void {
  const path = join(folder, `${process.pid}-${randomUUID()}.json`);
  const waiting = new Set<string>();
  const write = (): void => {
    if (waiting.size === 0) return rmSync(path, { force: true });
    makePrivateFolder(folder);
    const { pid } = process;
    const ids = [...waiting];
    writePrivateFile(path, JSON.stringify({ title, host: hostname(), pid, startedAt: performance.timeOrigin, ids }));
  };
  return (ids) => {
    for (const id of ids) waiting.add(id);
    attempt(write);
    return () => {
      for (const id of ids) waiting.delete(id);
      attempt(write);
    };
  };
}

/** Ends the requests of processes that no longer run. Several may do so at once. Rejects if Beckon is away. */
export async function endLeft(
  folder: string,
  supersede: (id: string, reason: string) => Promise<unknown>,
): Promise<void> {
  for (const name of attempt(() => readdirSync(folder)) ?? []) {
    const path = join(folder, name);
    const { data: left } = z.safeParse(Waiting, readJsonFile(path));
    if (left === undefined || left.host !== hostname() || isAlive(left)) continue;
    for (const id of left.ids) await supersede(id, `${left.title} ended while it waited`);
    rmSync(path, { force: true });
  }
}

/** In a container every start may get the same number, so one's own counts only with one's own start. */
function isAlive({ pid, startedAt }: z.output<typeof Waiting>): boolean {
  return pid === process.pid ? startedAt === performance.timeOrigin : isRunning(pid);
}

function attempt<Result>(act: () => Result): Result | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
