import { LIMITS } from '../protocol/limits.ts';
import { isMade, MASK } from './mask.ts';
import { maskAssignments } from './mask-assignments.ts';
import { maskPrivateKeys } from './mask-private-keys.ts';

/**
 * Masks what looks like a secret: keys and tokens of known services, JWTs, headers, passwords in assignments, flags and
 * URLs, private keys. What is left is enough to recognize it: `ghp_…(masked)`. It takes linear time, and masking twice
 * changes nothing. Patterns miss what has no form, such as a password in a sentence.
 */
export function maskSecrets(text: string): string {
  if (WORD.test(text)) return text;
  let masked = maskPrivateKeys(text);
  for (const { pattern, replace } of RULES) masked = masked.replaceAll(pattern, replace);
  return maskAssignments(masked);
}

/**
 * Masks every text of a context, also of one that is not as it should be. Hashes of files stay. What is far too much
 * for a context is left out here: it would be cut anyway, and cost time.
 */
export function maskContext<Value>(context: Value): Value {
  return maskValue(context, 0, { texts: MOST_TEXTS, chars: MOST_CHARS }) as Value;
}

/** More than any context has. What is deeper may have no end. */
const MOST_LEVELS = 8;
const MOST_ITEMS = 600;
const MOST_TEXTS = 3000;
const MOST_CHARS = 4 * LIMITS.contextBytes;

function maskValue(value: unknown, level: number, left: { texts: number; chars: number }): unknown {
  if (typeof value === 'string') {
    const text = left.texts > 0 ? value.slice(0, left.chars) : '';
    left.texts -= 1;
    left.chars -= text.length;
    return maskSecrets(text);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (level >= MOST_LEVELS) return null;
  if (Array.isArray(value)) {
    // From the end, because the last ones are the newest.
    const last = value.slice(-MOST_ITEMS).toReversed();
    return last.map((part) => maskValue(part, level + 1, left)).toReversed();
  }
  // The conversation is the first to be cut, so it comes last.
  const entries = Object.entries(value).toSorted(([one], [other]) => Number(isLast(one)) - Number(isLast(other)));
  return Object.fromEntries(
    entries.map(([name, part]) => [name, name === 'sha256' ? part : maskValue(part, level + 1, left)]),
  );
}

function isLast(name: string): boolean {
  return name === 'conversation';
}

/** A short word is no secret, and most texts of a context are one. */
const WORD = /^[A-Za-z]{0,15}$/;

interface Rule {
  pattern: RegExp;
  replace: (match: string, start: string, value: string) => string;
}

/** Not inside a longer word, except after a line break that is written as `\n`. */
const START = String.raw`(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt]))`;

/** What keys and tokens of known services begin with, and the least that follows. Long ones are often cut off. */
const TOKENS: readonly [prefix: string, rest: string][] = [
  ['sk-ant-', String.raw`[\w-]{12,}`],
  ['sk-(?:proj|svcacct|admin|or-v1)-', String.raw`[\w-]{16,}`],
  ['sk-', '[A-Za-z0-9]{24,}'],
  ['gh[oprsu]_', '[A-Za-z0-9]{16,}'],
  ['github_pat_', String.raw`\w{16,}`],
  ['gl(?:pat|dt|rt|cbt|ptt|ft|imt|oas|soat)-', String.raw`[\w.-]{16,}`],
  ['xox[abeoprs]-', '[A-Za-z0-9-]{10,}'],
  ['xapp-', '[A-Za-z0-9-]{16,}'],
  ['[rs]k_(?:live|test)_', '[A-Za-z0-9]{10,}'],
  ['whsec_', '[A-Za-z0-9+/=]{16,}'],
  ['(?:AKIA|ASIA|ABIA|ACCA)', '[A-Z2-7]{16}(?![A-Za-z0-9])'],
  ['AIza', String.raw`[\w-]{30,}`],
  [String.raw`ya29\.`, String.raw`[\w-]{16,}`],
  ['GOCSPX-', String.raw`[\w-]{16,}`],
  ['npm_', '[A-Za-z0-9]{30,}'],
  ['pypi-', String.raw`AgE[\w-]{16,}`],
  ['SK', '[0-9a-f]{32}(?![A-Za-z0-9])'],
  [String.raw`SG\.`, String.raw`[\w-]{16,}\.[\w-]{16,}`],
  ['hf_', '[A-Za-z0-9]{24,}'],
  ['gsk_', '[A-Za-z0-9]{24,}'],
  ['xai-', '[A-Za-z0-9]{24,}'],
  ['pplx-', '[A-Za-z0-9]{24,}'],
  ['r8_', '[A-Za-z0-9]{24,}'],
  ['do[opr]_v1_', '[0-9a-f]{32,}'],
  ['shp(?:at|ca|pa|ss)_', '[0-9a-fA-F]{24,}'],
  ['sq0(?:atp|csp)-', String.raw`[\w-]{16,}`],
  ['dapi', '[0-9a-f]{32}(?![A-Za-z0-9])'],
  ['lin_api_', '[A-Za-z0-9]{24,}'],
  ['ntn_', '[A-Za-z0-9]{24,}'],
  ['figd_', String.raw`[\w-]{24,}`],
  [String.raw`hv[bs]\.`, String.raw`[\w-]{20,}`],
  [String.raw`dp\.(?:pt|st|ct|sa)\.`, String.raw`[\w.-]{24,}`],
  ['pscale_(?:tkn|pw|oauth)_', String.raw`[\w.-]{24,}`],
  ['PMAK-', '[0-9a-f-]{32,}'],
  ['ATATT3', String.raw`[\w=-]{24,}`],
  ['glsa_', String.raw`\w{24,}`],
  ['sntry[su]_', String.raw`[\w+/=.-]{24,}`],
  ['tskey-', '[A-Za-z0-9-]{16,}'],
  ['dckr_pat_', String.raw`[\w-]{16,}`],
  ['rubygems_', '[0-9a-f]{32,}'],
  ['nfp_', '[A-Za-z0-9]{24,}'],
  ['sbp_', '[0-9a-f]{24,}'],
  ['NRAK-', '[A-Z0-9]{20,}'],
  ['AGE-SECRET-KEY-1', '[A-Z0-9]{24,}'],
  ['bkn_', String.raw`[0-9a-f]{16}_[\w-]{16,}`],
];

const RULES: readonly Rule[] = [
  // A JWT has two or four dots. What a source map or an image has is one long text without any.
  {
    pattern: new RegExp(String.raw`${START}eyJ[\w-]{8,}(?:\.[\w-]*){1,4}`, 'g'),
    replace: () => `eyJ${MASK}`,
  },
  {
    pattern: new RegExp(
      `${START}(?:${TOKENS.map(([prefix, rest]) => `(?:${prefix})(?=${rest})${rest}`).join('|')})`,
      'g',
    ),
    replace: (token) => token.replace(AFTER_PREFIX, `$1${MASK}`),
  },
  // Bots of Telegram, in an address after "bot", and of Discord.
  { pattern: /(?<!\d)(\d{8,10}):AA[\w-]{30,}/g, replace: (_, bot) => `${bot}:${MASK}` },
  {
    pattern: new RegExp(String.raw`${START}([MNO][\w-]{5})[\w-]{17,22}\.[\w-]{6}\.[\w-]{27,}`, 'g'),
    replace: (_, start) => `${start}${MASK}`,
  },
  { pattern: /(hooks\.slack\.com\/services\/)[A-Za-z0-9/]{20,}/g, replace: (_, start) => `${start}${MASK}` },
  // The password of an address.
  {
    pattern: /(:\/\/[^\s:@/?#"'`<>]{0,256}:)([^\s@/"'`<>]{1,256})(?=@)/g,
    replace: maskAfter,
  },
  // Headers. Without "Authorization" in front only what has the form of a token counts, not "bearer authentication".
  {
    pattern:
      /(authorization["']?\s{0,3}[:=]\s{0,3}["']?(?:basic|bearer|token|apikey|digest)\s{1,3})([^\s"'`,;<>]{4,})/gi,
    replace: maskAfter,
  },
  {
    pattern: /(\bbearer\s{1,3})([\w.~+/=-]{12,})(?![\w.~+/=…-])/gi,
    replace: (match, start, value) => (/\d/.test(value) ? `${start}${MASK}` : match),
  },
  // Flags that are certain to be passwords, because of the program in front of them.
  {
    pattern: /(\b(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump)\b[^\n|;&]{0,200}?\s-p)([^\s"'-][^\s"']*)/g,
    replace: maskAfter,
  },
  { pattern: /(\bsshpass\s{1,3}-p\s{0,3}["']?)([^\s"']+)/g, replace: maskAfter },
  { pattern: /(\bdocker\s{1,3}login\b[^\n|;&]{0,200}?\s-p\s{1,3}["']?)([^\s"']+)/g, replace: maskAfter },
  { pattern: /(\bredis-cli\b[^\n|;&]{0,200}?\s-a\s{1,3}["']?)([^\s"']+)/g, replace: maskAfter },
  {
    pattern: /(\bcurl\b[^\n|;&]{0,300}?\s(?:-u\s{0,3}|--user[\s=]{1,3})["']?[^\s:"'/]{1,100}:)([^\s"']+)/g,
    replace: maskAfter,
  },
  { pattern: /(\s-pass(?:in|out)?\s{1,3}["']?pass:)([^\s"']+)/g, replace: maskAfter },
  // SQL, and the files of FTP programs.
  {
    pattern: /(\b(?:identified\s{1,3}by|with\s{1,3}password|set\s{1,3}password)\s{1,3}')([^'\n]{1,200})/gi,
    replace: maskAfter,
  },
  { pattern: /(\blogin\s{1,3}\S{1,100}\s{1,3}password\s{1,3})(\S+)/g, replace: maskAfter },
  // The login of a registry, as Docker keeps it.
  { pattern: /("auth\\{0,3}"\s{0,3}:\s{0,3}\\{0,3}")([A-Za-z0-9+/=]{12,})(?=\\{0,3}")/g, replace: maskAfter },
];

/** What begins like a token, and the rest of it. */
const AFTER_PREFIX = new RegExp(`^(${TOKENS.map(([prefix]) => prefix).join('|')}).*`, 's');

function maskAfter(match: string, start: string, value: string): string {
  return isMade(value) ? match : `${start}${MASK}`;
}
