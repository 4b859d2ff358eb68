import type { FoundWord } from './found-command.ts';
import { isShell } from './wrappers.ts';

/** Most words that `xargs` is given. */
const MOST_WORDS = 32;

/** A text that a command reads, and where it comes from. */
export interface Input {
  text: string;
  start: number;
  end: number;
}

/** A text as what a command reads. */
export function toInput(text: string, [start, end]: readonly [number, number]): Input {
  return { text, start, end };
}

/** The words that `xargs` makes of what it reads. */
export function toInputWords({ text, start, end }: Input): FoundWord[] {
  const words = text.trim().split(/\s+/, MOST_WORDS);
  return words.filter(Boolean).map((word) => ({ text: word, start, end }));
}

/** Whether a shell reads its commands from its input: without a script, or with `-s` or `-`. */
export function readsCommands(program: string, words: readonly FoundWord[]): boolean {
  const rest = words.slice(1).map(({ text }) => text);
  if (program === 'ssh') return rest.length > 0;
  if (program === 'at' || program === 'batch') return true;
  if (program === 'source' || program === '.') return rest[0] === '/dev/stdin';
  if (!isShell(program)) return program === 'su' || program === 'parallel';
  if (rest.some((word) => /^-[a-z]*c/.test(word))) return false;
  return rest.every((word) => /^[-+]|^\/dev\/stdin$/.test(word)) || rest.some((word) => /^-[a-z]*s/.test(word));
}
