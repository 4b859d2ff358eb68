import { hash } from 'node:crypto';
import { toCanonicalJson } from '../../core/canonical-json.ts';
import type { JsonObject } from '../../protocol/json.ts';

/** Most entries remembered; older ones are no longer needed. */
const MOST = 1000;

/** Remembers something about recent calls, until too many others have followed. */
export class Recent<Value> {
  readonly #values = new Map<string, Value>();

  add(key: string, value: Value): void {
    const [oldest] = this.#values.keys();
    if (this.#values.size >= MOST && oldest !== undefined) this.#values.delete(oldest);
    this.#values.set(key, value);
  }

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }
}

/** A digest of a call with exactly this input in this session. */
export function toDigest(call: {
  session_id: string;
  agent_id?: string | undefined;
  tool_name?: string;
  tool_input?: JsonObject;
  message?: unknown;
}): string {
  const { session_id, agent_id = null, tool_name = null, tool_input = null, message = null } = call;
  return hash('sha256', toCanonicalJson([session_id, agent_id, tool_name, tool_input, message]));
}
