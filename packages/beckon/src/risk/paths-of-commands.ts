import type { FoundWord } from '../calls/find-commands.ts';
import { findReadCodes, findWriteCodes, isOutside, isTemporary } from './files.ts';
import { type Look, toOperands } from './look.ts';
import { findWritten, isRemote, WRITES_LAST } from './written-by-commands.ts';

/** Programs that name files without showing what is in them. */
export const NEVER_READS =
  /^(?:ls|ll|stat|test|\[|\[\[|rm|rmdir|mkdir|touch|chmod|chown|echo|printf|cd|file|du|find|fd|which|type|realpath|dirname|basename|readlink|tree|true|false|export|ln|pushd|shred|unlink|gitignore|ssh|ssh-keygen|ssh-add|ssh-copy-id|mosh|autossh|docker|docker-compose|node|direnv|dotenv|dotenvx|kubectl|helm|terraform|wc|md5sum|sha256sum|shasum|sha1sum)$/;

/** What a command does to files: those it writes, and those that have secrets. */
export function checkPaths(look: Look): void {
  const { program, args, command, where, report } = look;
  for (const { operator, target } of command.redirects) {
    if (operator.startsWith('<<')) continue;
    if (operator.startsWith('<')) checkRead(target, look);
    else if (!/^&?\d*$/.test(target.text)) checkWrite(target, look);
    if (/^\/dev\/(?:tcp|udp)\//.test(target.text)) report('reverse-shell', command);
    if (/^\/dev\/(?:sd|hd|nvme|vd|xvd|disk|rdisk|mmcblk)/.test(target.text)) report('disk-overwrite', target);
    if (isHistory(target.text)) report('traces-removed', target);
  }
  for (const word of findWritten(look)) {
    checkWrite(word, look);
    if (isHistory(word.text)) report('traces-removed', word);
  }
  if (program === 'rm') for (const word of toOperands(args)) if (isHistory(word.text)) report('traces-removed', word);
  checkFolders(look);
  if (NEVER_READS.test(program)) return;
  const operands = program === 'openssl' ? toShown(args) : toOperands(args);
  const read = WRITES_LAST.test(program) && !isRemote(operands.at(-1)) ? operands.slice(0, -1) : operands;
  if (program === 'git') {
    const isAdded = operands[0]?.text === 'add';
    for (const word of operands.slice(1)) {
      if (!isAdded) checkRead(word, look);
      else if (findReadCodes(word.text, where).length > 0) report('secret-committed', word);
    }
    return;
  }
  for (const word of read) checkRead(word, look);
  for (const { text, start, end } of args) {
    // `--data @file`, `-F file=@path`, `if=/path`, `--file=/path`
    const value = /^(?:-{1,2}[\w-]+=|\w+=)?@?(.+)$/s.exec(text)?.[1];
    if (value !== undefined && value !== text && value.length < 4096)
      for (const code of findReadCodes(value, where)) report(code, { start, end });
  }
}

/** A folder holds nothing yet, so in the system it is no more than one elsewhere. */
function checkFolders({ program, args, where, report }: Look): void {
  if (program !== 'mkdir' && program !== 'md') return;
  for (const word of toOperands(args)) {
    if (word.text.length <= 4096 && isOutside(word.text, where) && !isTemporary(word.text))
      report('outside-write', word);
  }
}

/** The files of openssl, without those that it writes, and the keys that it uses without showing them. */
function toShown(args: readonly FoundWord[]): FoundWord[] {
  return args.filter((_, at) => !/^-(?:out|keyout|key|CAkey|signkey|inkey)$/.test(args[at - 1]?.text ?? ''));
}

function checkWrite(word: FoundWord, { where, report }: Look): void {
  if (word.text === '-' || word.text === '' || word.text.length > 4096) return;
  for (const code of findWriteCodes(word.text, where)) report(code, word);
}

function checkRead(word: FoundWord, { where, report }: Look): void {
  if (word.text.length > 4096) return;
  for (const code of findReadCodes(word.text, where)) report(code, word);
}

function isHistory(path: string): boolean {
  return /(?:^|\/)\.(?:bash|zsh|python|psql|mysql|node_repl)_history$|^\/var\/log\//.test(path);
}
