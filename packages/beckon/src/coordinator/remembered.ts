import { isSameJson } from '../core/same-json.ts';
import type { JsonObject } from '../protocol/json.ts';

/**
 * What a person allowed for the rest of a session: exactly this tool with exactly this input. A new process asks again.
 */
export class Remembered {
  readonly #inputs = new Map<string, JsonObject[]>();

  has(scope: RememberScope, input: JsonObject): boolean {
    return (this.#inputs.get(toKey(scope)) ?? []).some((allowed) => isSameJson(allowed, input));
  }

  add(scope: RememberScope, input: JsonObject): void {
    if (this.has(scope, input)) return;
    this.#inputs.set(toKey(scope), [...(this.#inputs.get(toKey(scope)) ?? []), structuredClone(input)]);
  }
}

/** Where it holds: in a session, or in a chat if there is none. */
interface RememberScope {
  chatId: string;
  sessionId?: string | undefined;
  tool: string;
}

function toKey({ chatId, sessionId, tool }: RememberScope): string {
  return JSON.stringify([chatId, sessionId ?? null, tool]);
}
