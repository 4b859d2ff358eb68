import { BeckonError } from '../protocol/errors.ts';

/** Whether a failure of the store is temporary, so trying again may help. */
export function mayPass(error: unknown): boolean {
  return error instanceof BeckonError && (error.code === 'store_unavailable' || error.code === 'store_busy');
}
