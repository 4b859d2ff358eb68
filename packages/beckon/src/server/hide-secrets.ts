/** Anything that begins like a token or a browser's cookie, however short. */
const TOKENS = /\bbk([nd])_[\w-]+/gi;
/** Anything that looks like a login code: 24 random bytes, with letters of both cases. */
const CODES = /(?<![\w-])(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{32}(?![\w-])/g;
/** The code of a machine that waits to be let in, where a path has it. */
const USER_CODES = /(?<![\w-])[BCDFGHJ-NP-TV-XZ]{4}-[BCDFGHJ-NP-TV-XZ]{4}(?![\w-])/gi;
/** How often a text may have been encoded on its way here. */
const MOST_TIMES = 5;

/**
 * A text from outside, such as a path, without anything that could be a secret, so that it can be logged and repeated.
 */
export function hideSecrets(text: string): string {
  let decoded = text;
  for (let times = 0; times <= MOST_TIMES; times += 1) {
    const hidden = hide(decoded);
    if (hidden !== decoded) return hidden;
    decoded = decode(decoded);
  }
  return text;
}

function hide(text: string): string {
  return text.replaceAll(TOKENS, 'bk$1_(hidden)').replaceAll(CODES, '(hidden)').replaceAll(USER_CODES, '(hidden)');
}

// A browser or a proxy may have encoded any character of a secret as %xx, even repeatedly. Other characters stay.
function decode(text: string): string {
  return text.replaceAll(/%(25|2d|3\d|[46][1-9a-f]|[57][0-9a]|5f)/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
