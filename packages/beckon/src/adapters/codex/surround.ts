import { maskContext } from '../../core/mask-secrets.ts';
import { gatherSurroundings, type Surroundings } from '../claude/surroundings.ts';
import type { CodexRequest } from './messages.ts';
import { type Thread, toSaid } from './thread.ts';
import type { Call } from './to-call.ts';

/** What surrounds a request: where it runs, what was said, and the files that it changes. */
export function surround({ params }: CodexRequest, call: Call | null, thread: Thread): Surroundings {
  const said = toSaid(thread);
  const folder = ('cwd' in params ? params.cwd : undefined) ?? thread.folder;
  if (folder === undefined) return { context: maskContext(said), findChange: () => null };
  return gatherSurroundings(call ?? { tool: '', input: {} }, { said, folder });
}
