import * as z from 'zod/mini';
import { words } from './component.ts';

/** The schemes that a link may have. All others, such as `javascript:` and `data:`, are refused. */
const LINK_SCHEMES = ['http:', 'https:', 'mailto:'];
const WEB_SCHEMES = ['http:', 'https:'];

/** Whether a link may have this URL: absolute, http(s) or mailto, without spaces or control characters around it. */
export function isSafeLink(address: string): boolean {
  return hasScheme(address, LINK_SCHEMES);
}

/** Whether something may be loaded from this URL: absolute, http(s), without a user name or password. */
export function isSafeSource(address: string): boolean {
  return hasScheme(address, WEB_SCHEMES);
}

/** The URL of a link. */
export const LinkUrl: z.ZodMiniType<string> = z
  .string()
  .check(z.refine(isSafeLink, 'expected an http(s) or mailto address'));
/** The URL of an image or an embedded page. */
export const SourceUrl: z.ZodMiniType<string> = z.string().check(z.refine(isSafeSource, 'expected an http(s) address'));
words.add(LinkUrl, { format: 'uri', description: 'An http(s) or mailto address' });
words.add(SourceUrl, { format: 'uri', description: 'An http(s) address' });

function hasScheme(address: string, schemes: readonly string[]): boolean {
  // The URL parser drops tabs and line breaks, so "java\nscript:" would become "javascript:".
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (address.length > 8192 || /[\u0000-\u0020\u007f-\u009f\u200b-\u200f\u2028-\u202e\ufeff]/.test(address))
    return false;
  if (!URL.canParse(address)) return false;
  const { protocol, username, password, hostname } = new URL(address);
  if (!schemes.includes(protocol)) return false;
  return protocol === 'mailto:' || (hostname !== '' && username === '' && password === '');
}
