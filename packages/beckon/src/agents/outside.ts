import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { Outside } from '../adapters/shared/ask-outside.ts';
import { connectBeckon } from '../client/connect-beckon.ts';
import type { Beckon } from '../core/beckon.ts';
import { isRunning } from '../machine/is-running.ts';
import { makePrivateFolder, writePrivateFile } from '../machine/private-file.ts';
import type { Duration } from '../protocol/duration.ts';
import { findBeckon } from '../where/find-beckon.ts';
import { type HOME_FILES, toHome, toHomeFile } from '../where/home.ts';
import { createPinnedFetch } from '../where/pinned-fetch.ts';
import { readJsonFile } from '../where/read-file.ts';

/** An agent that Beckon has code in, and the file with its token. */
export interface InsideAgent {
  title: string;
  tokenFile: Extract<keyof typeof HOME_FILES, `${string}Token`>;
}

/** What one process left behind: the requests that it waited for. */
const Waiting = z.object({ title: z.string(), pid: z.number(), startedAt: z.number(), ids: z.array(z.string()) });

/** How long Beckon is looked for to end what a dead process left. The next request looks again. */
const LEFT_RETRY = '10s';

/**
 * The way to Beckon from inside an agent. Address and token are looked up for each request, as the hook command does:
 * Beckon may be started, or moved, while the agent runs. What waits is noted in a file of this process; requests of
 * processes that died are ended by the next one.
 */
export function openOutside({ title, tokenFile }: InsideAgent, env: NodeJS.ProcessEnv = process.env): Outside {
  const home = toHome(env);
  const folder = toHomeFile(home, 'waiting');
  const path = join(folder, `${process.pid}-${randomUUID()}.json`);
  const waiting = new Set<string>();

  const open = ({ retryFor }: { retryFor: Duration }): Beckon | null => {
    try {
      const { url, token, certificates } = findBeckon({ env, tokenFiles: [tokenFile, 'token'] });
      if (token === undefined) return null;
      const pinned = certificates === undefined ? {} : { fetch: createPinnedFetch(home) };
      return connectBeckon(url, { ...pinned, token, retryFor });
    } catch {
      // Wrong settings: "beckon doctor" says which.
      return null;
    }
  };

  const write = (): void => {
    if (waiting.size === 0) return rmSync(path, { force: true });
    makePrivateFolder(folder);
    const startedAt = performance.timeOrigin;
    writePrivateFile(path, JSON.stringify({ title, pid: process.pid, startedAt, ids: [...waiting] }));
  };

  const keep = (ids: readonly string[]): (() => void) => {
    for (const id of ids) waiting.add(id);
    attempt(write);
    void endLeft(folder, open({ retryFor: LEFT_RETRY }));
    return () => {
      for (const id of ids) waiting.delete(id);
      attempt(write);
    };
  };

  void endLeft(folder, open({ retryFor: LEFT_RETRY }));
  return { open, keep };
}

/** Ends the requests of processes that no longer run. Several may do so at once. */
async function endLeft(folder: string, beckon: Beckon | null): Promise<void> {
  if (beckon === null) return;
  for (const name of attempt(() => readdirSync(folder)) ?? []) {
    const path = join(folder, name);
    const { data: left } = z.safeParse(Waiting, readJsonFile(path));
    if (left === undefined || isAlive(left)) continue;
    try {
      for (const id of left.ids) await beckon.supersede(id, `${left.title} ended while it waited`);
      rmSync(path, { force: true });
    } catch {
      // Beckon is away. The file stays for the next time.
      return;
    }
  }
}

/** In a container every start may get the same number, so one's own counts only with one's own start. */
function isAlive({ pid, startedAt }: z.output<typeof Waiting>): boolean {
  return pid === process.pid ? startedAt === performance.timeOrigin : isRunning(pid);
}

/** For what only helps later: it must not stop a request. */
function attempt<Result>(act: () => Result): Result | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
