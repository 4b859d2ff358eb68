import { BeckonError } from 'beckon/protocol';

/** Whether the server no longer knows this login. Trying again helps only after somebody logs in. */
export function isLoggedOut(error: unknown): boolean {
  return error instanceof BeckonError && error.code === 'unauthorized';
}
