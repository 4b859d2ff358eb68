import { BeckonError } from '../../protocol/errors.ts';

/** Says what a Postgres failure means for the person who runs Beckon. Other errors are returned unchanged. */
export function toStoreError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof BeckonError) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (isConnectionLost(code, error.message)) {
    return new BeckonError(
      'store_unavailable',
      `Postgres cannot be reached (${error.message}). A write in progress may or may not have been kept: ` +
        'it is safe to ask again with the same idempotencyKey, and to answer again. Beckon reconnects by itself.',
      { cause: error },
    );
  }
  switch (code) {
    case '53100': // disk_full
      return new BeckonError(
        'store_full',
        `The disk of the Postgres server is full (${error.message}). Nothing was written. Make space and try again.`,
        { cause: error },
      );
    case '55P03': // lock_not_available
    case '25P03': // idle_in_transaction_session_timeout
      return new BeckonError(
        'store_busy',
        `Another process has held Beckon's log for too long (${error.message}). Nothing was written. Try again.`,
        { cause: error },
      );
    case 'XX001': // data_corrupted
    case 'XX002': // index_corrupted
      return new BeckonError('store_corrupt', `The database is damaged (${error.message}). Restore it from a backup.`, {
        cause: error,
      });
    case 'ERR_INVALID_URL':
    case '28000': // invalid_authorization_specification
    case '28P01': // invalid_password
    case '3D000': // invalid_catalog_name
    case '42501': // insufficient_privilege
    case '25006': // read_only_sql_transaction
      return new BeckonError(
        'store_misconfigured',
        `Postgres refuses the connection as configured (${error.message}). ` +
          'Check the user, the password, the database name and the rights of the user.',
        { cause: error },
      );
    default:
      return error;
  }
}

/**
 * Whether a transaction failed because of what others wrote: a row exists by now (23505), or the division failed that
 * stands for "no longer as it was read" (22012).
 */
export function isOvertaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '23505' || error.code === '22012');
}

const LOST = /connection terminated|not queryable|timeout exceeded when trying to connect|query read timeout/i;

// Class 08 and 57P are connection and shutdown errors of the server, 53300 is too many connections, E… are sockets of
// Node.
function isConnectionLost(code: string, message: string): boolean {
  return /^(?:08|57P|53300|EAI_|E[A-Z]+$)/.test(code) || LOST.test(message);
}
