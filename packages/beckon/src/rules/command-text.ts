/** What a shell takes as it is, outside of quotes. */
const BARE = /^[A-Za-z0-9@%+=:,./_-]+$/;

/** A command as people type it: words with anything special in them have quotes. */
export function toCommandText(words: readonly string[]): string {
  return words.map(quote).join(' ');
}

function quote(word: string, index: number): string {
  // As the first word, `a=b` would set a variable.
  if (BARE.test(word) && !word.startsWith('=') && !(index === 0 && word.includes('='))) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
