import { BeckonError } from 'beckon/protocol';
import { texts } from './texts.ts';

/** What went wrong, for a person. Codes without a text of their own keep the server's words. */
export function toMessage(error: unknown): string {
  if (error instanceof BeckonError) return texts.errors[error.code] ?? error.message;
  return error instanceof Error ? error.message : String(error);
}
