/** What begins like a token or a cookie of a browser, however much of it is there. */
const TOKENS = /\bbk([nd])_[\w-]+/gi;
/** What has the form of a login code: 24 random bytes, which have letters of both cases. */
const CODES = /(?<![\w-])(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{32}(?![\w-])/g;

/** A text that came from outside, such as the path of a request, as it may be logged and repeated: what could be a secret is left out. */
export function hideSecrets(text: string): string {
  const hidden = hide(text);
  // A browser or a proxy may have written any character of it as %xx.
  const decoded = text.replaceAll(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const hiddenDecoded = hide(decoded);
  return hiddenDecoded === decoded ? hidden : hiddenDecoded;
}

function hide(text: string): string {
  return text.replaceAll(TOKENS, 'bk$1_(hidden)').replaceAll(CODES, '(hidden)');
}
