import * as z from 'zod/mini';
import { isRunning } from '../../machine/is-running.ts';
import { readIfThere } from '../../machine/private-file.ts';
import { toHomeFile } from '../../where/home.ts';

const State = z.object({
  pid: z.number(),
  version: z.nullable(z.string()),
  threads: z.array(z.string()),
  problem: z.nullable(z.string()),
});

/** What the running process of Beckon that connects to Codex last saw; `null` if there is none. */
export function readCodexState(home: string): z.output<typeof State> | null {
  try {
    const { data } = z.safeParse(State, JSON.parse(readIfThere(toHomeFile(home, 'codexState')) ?? 'null'));
    return data !== undefined && isRunning(data.pid) ? data : null;
  } catch {
    // Somebody else has written there; the process itself writes it whole.
    return null;
  }
}
