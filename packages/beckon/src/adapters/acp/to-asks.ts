import { hash } from 'node:crypto';
import * as z from 'zod/mini';
import type { ContextInput } from '../../protocol/context.ts';
import type { Duration } from '../../protocol/duration.ts';
import { Id } from '../../protocol/ids.ts';
import type { AskInput } from '../../protocol/interaction.ts';
import { gatherSurroundings, type Surroundings } from '../claude/surroundings.ts';
import { type Message, ownString } from './messages.ts';
import type { Talk } from './talk.ts';
import type { Translated } from './translated.ts';

/** Where and for how long people are asked. */
export interface AcpOptions {
  chatId?: string | undefined;
  timeout?: Duration | null | undefined;
}

/** What Beckon is asked, and how to find out whether the files of the call have changed since. */
export interface PreparedAsks {
  inputs: AskInput[];
  findChange: Surroundings['findChange'];
}

/** Adds to a request what surrounds it. `key` is never used for another one. */
export function toAsks(
  { asks, call }: Translated,
  { params }: Message,
  { talk, key, options }: { talk: Talk; key: string; options: AcpOptions },
): PreparedAsks {
  const sessionId = ownString(params, 'sessionId');
  const { cwd, prompt, message } = sessionId === undefined ? {} : talk.session(sessionId);
  const { name, title } = talk.agent;
  const said: ContextInput = {
    agent: title,
    ...(prompt && { prompt }),
    ...(message && { message }),
  };
  const surroundings = surround(call, cwd, said);
  const shared = {
    ...(sessionId !== undefined && { sessionId: toId(sessionId) }),
    ...(asks.length > 1 && { groupId: key }),
    ...(options.chatId !== undefined && { chatId: options.chatId }),
    ...(options.timeout !== undefined && { timeout: options.timeout }),
    metadata: {
      agent: name,
      ...(cwd !== undefined && { cwd }),
      ...(surroundings.mark !== undefined && { files: surroundings.mark }),
    },
    ...(surroundings.context !== undefined && { context: surroundings.context }),
  };
  const inputs = asks.map((ask, index) => ({ ...ask, ...shared, idempotencyKey: `${key}:${index}` }) as AskInput);
  return { inputs, findChange: surroundings.findChange };
}

function surround(call: Translated['call'], folder: string | undefined, said: ContextInput): Surroundings {
  if (folder === undefined) return { context: said, findChange: () => null };
  return gatherSurroundings(call ?? { tool: '', input: {} }, { folder, said });
}

// Agents choose the ids of their sessions freely.
function toId(sessionId: string): string {
  return z.safeParse(Id, sessionId).success ? sessionId : `acp_${hash('sha256', sessionId).slice(0, 40)}`;
}
