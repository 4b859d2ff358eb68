import { hash } from 'node:crypto';
import { findPlace } from '../../context/find-place.ts';
import { checkFiles, gatherFiles } from '../../context/gather-files.ts';
import { maskContext } from '../../core/mask-secrets.ts';
import type { ContextInput } from '../../protocol/context.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import type { JsonObject } from '../../protocol/json.ts';

/** A call of a tool that people are asked about. */
export interface AgentCall {
  tool: string;
  input: JsonObject;
  toolUseId: string;
}

/** What surrounds a call, and how to find out whether that has changed. */
export interface Surroundings {
  context?: ContextInput;
  /** A digest of the files that the call changes; missing if it changes none. */
  mark?: string;
  /** Why the call must not run: a file has changed since it was asked, perhaps by an earlier process. Else `null`. */
  findChange(asked: readonly Interaction[]): string | null;
}

const CHANGED_MEANWHILE =
  'A file that this call changes has changed since the call was asked, so what was allowed is not what would run. ' +
  'Read the file again, then make the call again.';

/**
 * Reads what surrounds a call from the files of this machine, and adds what the agent says. Secrets are masked. If
 * `said` is `off` nothing is to be sent; the files are looked at all the same.
 */
export function gatherSurroundings(
  call: Pick<AgentCall, 'tool' | 'input'>,
  { said, folder }: { said: ContextInput | 'off'; folder: string },
): Surroundings {
  const { files, seen } = gatherFiles({ ...call, folder });
  const mark = seen.length === 0 ? undefined : hash('sha256', JSON.stringify(seen));
  const findChange = (asked: readonly Interaction[]): string | null => {
    const isSame = asked.every(({ metadata }) => metadata?.['files'] === mark);
    return isSame ? checkFiles(seen) : CHANGED_MEANWHILE;
  };
  const guard = { findChange, ...(mark !== undefined && { mark }) };
  if (said === 'off') return guard;
  const found = { ...readPlace(folder), ...(files.length > 0 && { files }) };
  return { ...guard, context: maskContext({ ...found, ...said }) };
}

function readPlace(folder: string): ContextInput {
  try {
    return findPlace(folder);
  } catch {
    // Files of git that cannot be read change nothing: people decide with less around.
    return { folder };
  }
}
