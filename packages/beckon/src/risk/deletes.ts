import type { FoundCommand, FoundWord } from '../calls/find-commands.ts';
import type { Code } from './codes.ts';
import { findWriteCodes, judgeTarget, type Target, type Where } from './files.ts';
import { hasWord, type Look, toOperands } from './look.ts';

const CODES_OF: Readonly<Record<Target, Code | undefined>> = {
  everything: 'delete-everything',
  repository: 'delete-repository',
  outside: 'delete-outside',
  unknown: 'delete-unknown',
  inside: 'delete-recursive',
  rebuilt: undefined,
  temporary: undefined,
};

const PROGRAMS = /^(?:rm|grm|rmdir|rd|del|erase|Remove-Item|ri|trash|rimraf|del-cli|srm)$/i;
const RECURSIVE = /^(?:-[a-zA-Z]*[rR][a-zA-Z]*|--recursive|-recurse|\/s)$/i;

/** Commands that delete files: `rm`, `find -delete`, `rsync --delete`, `mv` into nothing. */
export function checkDeletes(look: Look): void {
  const { program, args, report } = look;
  if (PROGRAMS.test(program)) checkRemove(look);
  else if (program === 'find' || program === 'fd' || program === 'gfind') checkFind(look);
  else if (program === 'rsync' && hasWord(args, /^--(?:delete|remove-source-files)/))
    report('delete-found', look.command);
  else if (program === 'mv' && hasWord(args, /^\/dev\/null$/)) report('delete-everything', look.command);
  else if (program === 'unlink' || program === 'shred') checkPipedSearches(look);
  else if (program === 'git') checkGitRemove(look);
}

/** `git rm -r .` deletes what is on the disk, too. */
function checkGitRemove({ args, where, report }: Look): void {
  const [verb, ...operands] = toOperands(args);
  if (verb?.text !== 'rm' || !hasWord(toOptions(args), RECURSIVE) || hasWord(args, /^--cached$/)) return;
  for (const word of operands) checkTarget(word, true, { where, report });
}

/** `find / | xargs rm`: what the search finds is deleted. */
function checkPipedSearches({ command, where, report }: Look): void {
  if (!command.via.some((name) => /^(?:g?xargs|parallel)$/.test(name))) return;
  for (const { words } of command.pipedFrom)
    if (/(?:^|\/)g?find$/.test(words[0]?.text ?? '')) checkFolders(words.slice(1), where, report);
}

function checkRemove(look: Look): void {
  const { program, args, where, command, report } = look;
  checkPipedSearches(look);
  const isRecursive = program === 'rimraf' || program === 'del-cli' || hasWord(toOptions(args), RECURSIVE);
  const isMany = command.via.some((name) => /^(?:g?xargs|parallel|g?find|fd|fdfind)$/.test(name));
  if (hasWord(args, /^--no-preserve-root$/)) report('delete-everything', command);
  if (isMany) report('delete-found', command);
  const isChosen = command.via.some((name) => /^(?:g?find|fd|fdfind)$/.test(name)) || command.pipedFrom.some(isSearch);
  if (isMany && isRecursive && !isChosen) report('delete-unknown', command);
  const end = args.findIndex(({ text }) => text === '--');
  for (const [at, word] of args.entries()) {
    const isOption = (word.text.startsWith('-') && (end === -1 || at <= end)) || /^\/[a-z]$/i.test(word.text);
    if (isOption || word.text === '' || word.text === '{}') continue;
    checkTarget(word, isRecursive, { where, report });
  }
}

function checkTarget(word: FoundWord, isRecursive: boolean, { where, report }: Pick<Look, 'where' | 'report'>): void {
  const target = judgeTarget(word.text, where);
  const code = CODES_OF[target];
  if (isRecursive) {
    if (code !== undefined) report(code, word);
    return;
  }
  for (const special of findWriteCodes(word.text, where)) report(special, word);
  if (/^[^/]*\*$/.test(word.text) && target === 'everything') report('delete-found', word);
}

function checkFind({ args, where, command, report }: Look): void {
  const deletes = hasWord(args, /^-delete$/);
  const runsDelete = args.some(({ text }, at) => /^(?:-exec|-execdir|-ok|-x|-X)$/.test(text) && isRemove(args[at + 1]));
  if (!deletes && !runsDelete) return;
  report('delete-found', command);
  checkFolders(args, where, report);
}

/** The folders in which a search finds what is deleted. */
function checkFolders(args: readonly FoundWord[], where: Where, report: Look['report']): void {
  const starts = args.findIndex(({ text }) => /^[-(!]/.test(text));
  const folders = args.slice(0, starts === -1 ? args.length : starts);
  // With a name to look for, a search in the project takes only what it finds.
  const isChosen = args.some(
    ({ text }, at) =>
      /^-(?:i?name|i?path|i?regex|mtime|size|empty|newer|mmin)$/.test(text) &&
      !/^(?:!|-not)$/.test(args[at - 1]?.text ?? ''),
  );
  for (const folder of folders) {
    const target = judgeTarget(folder.text, where);
    const isHere = /^\.?\/?$|^\.\/$/.test(folder.text) && folder.text !== '/';
    if (target === 'everything' && isHere && isChosen) continue;
    if (target === 'everything' || target === 'outside' || target === 'unknown')
      report(CODES_OF[target] as Code, folder);
  }
}

/** The words before `--`, after which no word is an option. */
function toOptions(args: readonly FoundWord[]): readonly FoundWord[] {
  const end = args.findIndex(({ text }) => text === '--');
  return end === -1 ? args : args.slice(0, end);
}

function isSearch({ words }: FoundCommand): boolean {
  return /(?:^|\/)(?:g?find|fd|fdfind|grep|rg|ag|git)$/.test(words[0]?.text ?? '');
}

function isRemove(word: FoundWord | undefined): boolean {
  return word !== undefined && /(?:^|\/)(?:rm|shred|unlink)$/.test(word.text);
}
