import type { FoundCommand, FoundWord } from '../calls/find-commands.ts';
import { findReadCodes, isOutside, isTemporary } from './files.ts';
import { hasWord, type Look, toOperands } from './look.ts';
import { NEVER_READS } from './paths-of-commands.ts';

const GREP = /^(?:g?grep|egrep|rg|ag|ack)$/;
const SECRET = /pass(?:word|wd)|secret|api_?key|private.?key|credential/i;

/** Searches for what usually is a secret: `find -name id_rsa -exec cat`, `grep -r password /`. */
export function checkSearches(look: Look): void {
  const { program, args, where, report } = look;
  for (const word of findSought(look)) for (const code of findReadCodes(word.text, where)) report(code, word);
  if (!GREP.test(program) || !hasWord(args, SECRET)) return;
  for (const word of toOperands(args).slice(1))
    if (isOutside(word.text, where) && !isTemporary(word.text)) report('secret-read', word);
}

/** The names that are looked for, if a program reads the files that are found. */
function findSought({ program, args, command }: Look): FoundWord[] {
  if (/^g?find$/.test(program)) {
    const run = args.find((_, at) => /^-(?:exec|execdir|ok|okdir)$/.test(args[at - 1]?.text ?? ''));
    return run === undefined || NEVER_READS.test(toBase(run.text)) ? [] : toNames(args);
  }
  if (!command.via.some((name) => /^g?xargs$/.test(name)) || NEVER_READS.test(program)) return [];
  return command.pipedFrom.filter(isFind).flatMap(({ words }) => toNames(words));
}

function isFind({ words }: FoundCommand): boolean {
  return /^g?find$/.test(toBase(words[0]?.text ?? ''));
}

function toNames(args: readonly FoundWord[]): FoundWord[] {
  const isName = (at: number): boolean => /^-(?:i?name|i?path|i?wholename)$/.test(args[at - 1]?.text ?? '');
  return args.flatMap((word, at) => (isName(at) ? [{ ...word, text: word.text.replace(/^(?:\*\/?)+/, '') }] : []));
}

function toBase(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
