/** What begins like a token or a cookie of a browser, however much of it is there. */
const TOKENS = /\bbk([nd])_[\w-]+/gi;
/** What has the form of a login code: 24 random bytes, which have letters of both cases. */
const CODES = /(?<![\w-])(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{32}(?![\w-])/g;
/** How often a text may have been encoded on its way here. */
const MOST_TIMES = 5;

/** A text that came from outside, such as the path of a request, as it may be logged and repeated: what could be a secret is left out. */
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
  return text.replaceAll(TOKENS, 'bk$1_(hidden)').replaceAll(CODES, '(hidden)');
}

// A browser or a proxy may have written any character of a secret as %xx, and that again. Other characters stay as they are.
function decode(text: string): string {
  return text.replaceAll(/%(25|2d|3\d|[46][1-9a-f]|[57][0-9a]|5f)/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
