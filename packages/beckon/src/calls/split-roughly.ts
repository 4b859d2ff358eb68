import type { FoundWord } from './found-command.ts';

/** What ends a command, roughly. */
const END = /[\n;&|()`]/;
const WORD = /[^\s;&|()`]+|[\n;&|()`]/g;

/**
 * Cuts a text into commands at everything that may end one, and into words at spaces, whatever the quotes say. It is
 * for texts that no parser takes: too many commands are better than none.
 */
export function splitRoughly(text: string, most: number): FoundWord[][] {
  const commands: FoundWord[][] = [];
  let words: FoundWord[] = [];
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!END.test(word)) words.push({ text: word.replaceAll(/["'\\]/g, ''), start: index, end: index + word.length });
    else if (words.length > 0) {
      commands.push(words);
      words = [];
    }
    if (commands.length >= most) return commands;
  }
  if (words.length > 0) commands.push(words);
  return commands;
}
