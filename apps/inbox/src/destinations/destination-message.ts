import { BeckonError } from 'beckon/protocol';
import { toMessage } from 'beckon/react/parts';
import { texts } from './texts.ts';

const EXACT = new Set(['forbidden', 'too_many_requests']);

/** Why something about a destination failed. About rights and times, the server is more exact than the page. */
export function toDestinationMessage(error: unknown): string {
  if (!(error instanceof BeckonError)) return toMessage(error);
  if (error.code === 'destination_unsupported') return texts.unsupported;
  return EXACT.has(error.code) ? error.message : toMessage(error);
}
