import { randomBytes } from 'node:crypto';
import { createPrivateFile, readIfThere } from '../machine/private-file.ts';
import { toHomeFile } from './home.ts';

/**
 * The secret that proves the addresses of callbacks. It is made with the first start and kept in the home, so that the addresses
 * outlive a restart. Daemons that share a database behind one address need the same file.
 */
export function ensureCallbackSecret(home: string): string {
  const path = toHomeFile(home, 'callbackSecret');
  const known = readIfThere(path)?.trim();
  if (known !== undefined && known !== '') return known;
  const secret = randomBytes(32).toString('base64url');
  // Of two that start at once, one is first.
  return createPrivateFile(path, `${secret}\n`) ? secret : (readIfThere(path)?.trim() ?? secret);
}
