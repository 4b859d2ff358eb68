import type { FoundWord } from '../calls/find-commands.ts';
import { hasWord, type Look, toOperands } from './look.ts';

/** Programs that write all of their operands. */
const WRITES_ALL = /^(?:tee|touch|truncate|chmod|chown|chgrp|mkfifo|rm|rmdir|unlink|shred|srm|setfacl|chattr|sponge)$/;
/** Programs that write their last operand. */
export const WRITES_LAST = /^(?:cp|mv|ln|install|rsync|scp|gcp|gmv|ditto|dd)$/;
const EDITS = /^(?:sed|gsed|perl|ruby|ed|ex|patch|awk|gawk)$/;
/** Options after which programs name what they write. */
const OUTPUTS: Readonly<Record<string, RegExp>> = {
  curl: /^(?:-[a-zA-Z]*o|--output)$/,
  wget: /^(?:-[a-zA-Z]*O|--output-document)$/,
  git: /^--output$/,
  sort: /^(?:-[a-zA-Z]*o|--output)$/,
  gpg: /^(?:-[a-zA-Z]*o|--output)$/,
  openssl: /^-(?:key)?out$/,
  tar: /^(?:-C|--directory)$/,
  unzip: /^-d$/,
  find: /^-f(?:printf|print|print0|ls)$/,
};

/** The words that name files which a command writes. */
export function findWritten({ program, args }: Look): FoundWord[] {
  const operands = toOperands(args);
  if (WRITES_ALL.test(program)) {
    const skipped = /^ch(?:mod|own|grp)$/.test(program) ? 1 : 0;
    return program === 'rm' ? [] : operands.slice(skipped);
  }
  if (program === 'dd') return args.flatMap((word) => cutPrefix(word, 'of='));
  if (WRITES_LAST.test(program))
    return isRemote(operands.at(-1)) ? [] : operands.slice(-1).slice(operands.length > 1 ? 0 : 1);
  if (EDITS.test(program) && hasWord(args, /^(?:-[a-zA-Z]*i.*|--in-place.*|inplace)$/)) return operands.slice(1);
  if (/^g?sed$/.test(program)) return args.flatMap(toWrittenBySed);
  if (program === 'git' && operands[0]?.text === 'clone') return toClone(operands);
  // What is packed into an archive is not written.
  if (program === 'tar' && !args.some(({ text }, at) => isExtracting(text, at))) return [];
  const option = Object.hasOwn(OUTPUTS, program) ? OUTPUTS[program] : undefined;
  if (option === undefined) return [];
  const joined = args.flatMap((word) => {
    const [, name = '', value = ''] = /^(--[\w-]+)=(.+)$/s.exec(word.text) ?? [];
    return option.test(name) ? [{ ...word, text: value }] : [];
  });
  return [...args.filter((_, at) => option.test(args[at - 1]?.text ?? '')), ...joined];
}

/** `s/a/b/w file`, `1w file`: only what looks like a path, because a script may say anything. */
function toWrittenBySed(word: FoundWord): FoundWord[] {
  const path = /(?:^|[;{\n/|,\d$])[gpiImMe\d]{0,9}w\s+((?:\/|~|\.)[^\n]+)$/.exec(word.text.slice(0, 4096))?.[1];
  return path === undefined ? [] : [{ ...word, text: path }];
}

/** The folder that `git clone` makes: it is named, or has the name of the repository. */
function toClone(operands: readonly FoundWord[]): FoundWord[] {
  const at = operands.findIndex(({ text }) => /[/:]/.test(text));
  const address = operands[at];
  if (address === undefined) return [];
  const folder = operands[at + 1];
  const name = toBase(address.text.replace(/\/$/, '')).replace(/\.git$/, '');
  // A number is the value of an option: `--depth 1`.
  return [folder === undefined || /^\d+$/.test(folder.text) ? { ...address, text: name } : folder];
}

function isExtracting(text: string, at: number): boolean {
  return /^(?:-[a-zA-Z]*x[a-zA-Z]*|--extract|--get)$/.test(text) || (at === 0 && /^[a-zA-Z]*x[a-zA-Z]*$/.test(text));
}

/** Whether a word names a place on another machine. */
export function isRemote(word: FoundWord | undefined): boolean {
  return word !== undefined && /^(?:[\w.-]+@)?[\w.-]{2,}:(?!\\)|^\w+:\/\//.test(word.text);
}

function toBase(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function cutPrefix(word: FoundWord, prefix: string): FoundWord[] {
  return word.text.startsWith(prefix) ? [{ ...word, text: word.text.slice(prefix.length) }] : [];
}
