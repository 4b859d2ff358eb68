import type { FoundWord } from '../calls/find-commands.ts';
import { findReadCodes, findWriteCodes } from './files.ts';
import { hasWord, type Look, toOperands } from './look.ts';

/** Programs that write all of their operands, or only the last. */
const WRITES_ALL = /^(?:tee|touch|truncate|chmod|chown|chgrp|mkfifo|rm|rmdir|unlink|shred|setfacl|chattr|sponge)$/;
const WRITES_LAST = /^(?:cp|mv|ln|install|rsync|scp|gcp|gmv|ditto|dd)$/;
const EDITS = /^(?:sed|gsed|perl|ruby|ed|ex|patch|awk|gawk)$/;
/** Programs that name files without showing what is in them. */
const NEVER_READS =
  /^(?:ls|ll|stat|test|\[|\[\[|rm|rmdir|mkdir|touch|chmod|chown|echo|printf|cd|file|du|find|fd|which|type|realpath|dirname|basename|readlink|tree|true|false|export|ln|pushd|shred|unlink|gitignore|ssh|ssh-keygen|ssh-add|ssh-copy-id|mosh|autossh|docker|docker-compose|node|direnv|dotenv|dotenvx|kubectl|helm|terraform|wc|md5sum|sha256sum|shasum|sha1sum)$/;

/** What a command does to files: those it writes, and those that have secrets. */
export function checkPaths(look: Look): void {
  const { program, args, command, where, report } = look;
  for (const { operator, target } of command.redirects) {
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
  if (NEVER_READS.test(program)) return;
  const operands = toOperands(args);
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

/** The words that name files which a command writes. */
function findWritten({ program, args }: Look): FoundWord[] {
  const operands = toOperands(args);
  if (WRITES_ALL.test(program)) {
    const skipped = /^ch(?:mod|own|grp)$/.test(program) ? 1 : 0;
    return program === 'rm' ? [] : operands.slice(skipped);
  }
  if (program === 'dd') return args.flatMap((word) => cutPrefix(word, 'of='));
  if (WRITES_LAST.test(program))
    return isRemote(operands.at(-1)) ? [] : operands.slice(-1).slice(operands.length > 1 ? 0 : 1);
  if (EDITS.test(program) && hasWord(args, /^(?:-[a-zA-Z]*i.*|--in-place.*|inplace)$/)) return operands.slice(1);
  const option =
    program === 'curl'
      ? /^(?:-[a-zA-Z]*o|--output)$/
      : program === 'wget'
        ? /^(?:-[a-zA-Z]*O|--output-document)$/
        : undefined;
  if (option === undefined) return [];
  return args.filter((_, at) => option.test(args[at - 1]?.text ?? ''));
}

function checkWrite(word: FoundWord, { where, report }: Look): void {
  if (word.text === '-' || word.text === '' || word.text.length > 4096) return;
  for (const code of findWriteCodes(word.text, where)) report(code, word);
}

function checkRead(word: FoundWord, { where, report }: Look): void {
  if (word.text.length > 4096) return;
  for (const code of findReadCodes(word.text, where)) report(code, word);
}

function isRemote(word: FoundWord | undefined): boolean {
  return word !== undefined && /^(?:[\w.-]+@)?[\w.-]{2,}:(?!\\)|^\w+:\/\//.test(word.text);
}

function isHistory(path: string): boolean {
  return /(?:^|\/)\.(?:bash|zsh|python|psql|mysql|node_repl)_history$|^\/var\/log\//.test(path);
}

function cutPrefix(word: FoundWord, prefix: string): FoundWord[] {
  return word.text.startsWith(prefix) ? [{ ...word, text: word.text.slice(prefix.length) }] : [];
}
