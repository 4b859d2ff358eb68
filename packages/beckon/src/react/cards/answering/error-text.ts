import { BeckonError } from '../../../protocol/index.ts';
import { texts } from './texts.ts';

/** An error in words for a person. Codes without a text keep the server's message. */
export function toMessage(error: unknown): string {
  if (error instanceof BeckonError) return texts.errors[error.code] ?? error.message;
  return error instanceof Error ? error.message : String(error);
}
