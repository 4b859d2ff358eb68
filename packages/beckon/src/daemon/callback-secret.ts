import { randomBytes } from 'node:crypto';
import { createPrivateFile, readIfThere } from '../machine/private-file.ts';
import { toHomeFile } from '../where/home.ts';

/**
 * The secret that signs the addresses of callbacks. The first start creates it in the home, so addresses survive a
 * restart. Daemons that share a database behind one address need the same file.
 */
export function ensureCallbackSecret(home: string): string {
  const path = toHomeFile(home, 'callbackSecret');
  const known = readIfThere(path)?.trim();
  if (known !== undefined && known !== '') return known;
  const secret = randomBytes(32).toString('base64url');
  // Another daemon that starts now may be faster.
  return createPrivateFile(path, `${secret}\n`) ? secret : (readIfThere(path)?.trim() ?? secret);
}
