import { BeckonError } from 'beckon/protocol';
import { toMessage } from 'beckon/react/parts';

const EXACT = new Set(['forbidden', 'too_many_requests', 'machine_login_ended']);

/** Why something about a machine failed. The server's words about rights and times are more exact than the page's. */
export function toMachineMessage(error: unknown): string {
  return error instanceof BeckonError && EXACT.has(error.code) ? error.message : toMessage(error);
}
