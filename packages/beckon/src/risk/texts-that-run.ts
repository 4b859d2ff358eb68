import type { FoundCommand, FoundWord } from '../calls/find-commands.ts';
import { hasWord, type Look } from './look.ts';

const SHELL = /^(?:ba|z|da|k|mk|a|fi|c|tc)?sh$|^(?:pwsh|powershell)$/;
const INTERPRETER = /^(?:python[\d.]*|perl|ruby|node|deno|bun|php|lua|tclsh|osascript|Rscript|psql|mysql|sqlite3)$/;
const DOWNLOAD =
  /^(?:curl|wget|fetch|aria2c|http|https|xh|lynx|w3m|Invoke-WebRequest|iwr|irm|ftp|nc|ncat|dig|nslookup)$/;
const DECODE = /^(?:base64|base32|gbase64|xxd|openssl|uudecode|gunzip|zcat|bzcat|xzcat|rev|tr|hexdump|gpg|basenc)$/;
const KNOWN =
  /^(?:ls|cd|rm|cp|mv|cat|git|npm|npx|node|python3?|pip3?|sudo|su|ssh|curl|wget|grep|find|echo|test|kill|ps|sh|bash|docker|kubectl|make|cargo|go|yarn|pnpm|chmod|chown|mkdir|touch|exit|true|false|which|command|source|export|open|vi|vim|code|tar|claude|codex)$/;

/** Programs that start others, but no shell that somebody sits at. */
const STARTER = /^(?:g?find|fd|fdfind|g?xargs|env|nice|g?timeout|g?time|watch|strace|flock)$/;

/** Programs that run texts: what they get from a pipe, from the network, or in one line. */
export function checkTextsThatRun(look: Look): void {
  const { program, args, command, report } = look;
  if (SHELL.test(program) || INTERPRETER.test(program)) checkReader(look);
  if (/^(?:source|\.|eval)$/.test(program) || SHELL.test(program)) {
    const read = command.redirects.flatMap(({ operator, target }) => (operator === '<<<' ? [target] : []));
    for (const word of [...args, ...read]) checkSubstitution(word, look);
  }
  if (
    SHELL.test(program) &&
    args.length === 0 &&
    command.via.some((name) => STARTER.test(name)) &&
    reads(command) === 0
  )
    report('unknown-command', command);
  if (
    /^(?:nc|ncat|netcat|socat|telnet)$/.test(program) &&
    command.pipedFrom.some(({ words }) => SHELL.test(toName(words)))
  )
    report('reverse-shell', toPipe(command));
  if (/^(?:iex|Invoke-Expression)$/i.test(program)) report('pipe-to-shell', command);
  if (program === 'alias') {
    for (const word of args)
      if (KNOWN.test(word.text.slice(0, word.text.indexOf('=')))) report('shadowed-command', word);
  }
  checkName(look);
  // Letters of a known variable: `${HOME:0:1}` is a slash.
  const pieced = args.find(({ text }) => /\$\{(?:HOME|PATH|PWD|SHELL|USER|LS_COLORS):\d+:\d+\}/.test(text));
  if (pieced !== undefined) report('disguised-command', pieced);
  for (const { text, start, end } of command.assignments) {
    if (
      /^(?:LD_PRELOAD|LD_LIBRARY_PATH|LD_AUDIT|DYLD_INSERT_LIBRARIES|DYLD_LIBRARY_PATH|BASH_ENV|ENV|PERL5OPT|PERL5LIB|PYTHONSTARTUP|RUBYOPT|PROMPT_COMMAND)=./.test(
        text,
      )
    )
      report('loads-library', { start, end });
    if (/^NODE_OPTIONS=.*(?:--require|-r |--import|--loader)/.test(text)) report('loads-library', { start, end });
    if (/^PATH=(?:\.|\/tmp)/.test(text)) report('loads-library', { start, end });
    if (
      /^(?:NODE_TLS_REJECT_UNAUTHORIZED=0|GIT_SSL_NO_VERIFY=|PYTHONHTTPSVERIFY=0|HUSKY=0|HUSKY_SKIP|SKIP=|CI_SKIP)/.test(
        text,
      )
    )
      report('check-skipped', { start, end });
    if (/^(?:HISTFILE|HISTSIZE|HISTFILESIZE|HISTCONTROL)=/.test(text)) report('traces-removed', { start, end });
  }
  if (/^(?:export|declare|typeset|readonly)$/.test(program)) {
    const set = { ...command, assignments: args, words: [] };
    checkTextsThatRun({ ...look, program: '', args: [], command: set });
  }
  if (program === 'set' && hasWord(args, /^\+[a-z]*e/)) report('check-skipped', command);
}

function checkReader({ program, args, command, report }: Look): void {
  const isReading = SHELL.test(program)
    ? !hasWord(args, /^-[a-z]*c$/) &&
      (args.every(({ text }) => /^[-+]/.test(text)) || hasWord(args, /^(?:-[a-z]*s|\/dev\/stdin)$/))
    : args.every(({ text }) => /^-$|^-[A-Za-z]$/.test(text)) &&
      /^(?:python|perl|ruby|node|php|lua|osascript|deno|bun)/.test(program);
  if (!isReading || command.pipedFrom.length === 0) return;
  if (command.pipedFrom.some(isDownload)) report('pipe-to-shell', toPipe(command));
  else if (command.pipedFrom.some(isDecoder)) report('encoded-command', toPipe(command));
  else report('piped-script', toPipe(command));
}

/** `bash -c "$(curl …)"`, `source <(curl …)`, `` eval `curl …` ``. */
function checkSubstitution(word: FoundWord, { report, program }: Look): void {
  const { text } = word;
  if (!/[$<]\(|`/.test(text)) return;
  if (/(?:[$<]\(|`|\|)\s*(?:sudo\s+)?(?:\/\S{0,40}\/)?(?:curl|wget|fetch|nc|dig)\b/.test(text))
    report('pipe-to-shell', word);
  else if (/\b(?:base64|base32|xxd|openssl|uudecode|gunzip|zcat)\b/.test(text)) report('encoded-command', word);
  else if (
    program === 'eval' &&
    /^(?:"?\$\((?:ssh-agent|direnv|brew|rbenv|pyenv|nodenv|fnm|mise|opam|starship|zoxide)\b)/.test(text)
  )
    return;
  else report('piped-script', word);
}

function checkName({ command, report }: Look): void {
  const [name] = command.words;
  // What is run instead of a text, `eval "$(…)"`, has a finding of its own.
  const isText = /^(?:eval|(?:ba|z|da|k)?sh)$/.test(command.via.at(-1) ?? '') && /^(?:\$\(|`)/.test(name?.text ?? '');
  if (name === undefined || isText) return;
  if (/[$`*?]|\[.+\]/.test(name.text)) report('unknown-command', name);
  else if (command.isDisguised) report('disguised-command', command);
}

/** Names that the text gives to functions. */
export function isKnownProgram(name: string): boolean {
  return KNOWN.test(name);
}

/** Whether a function runs itself twice, as a fork bomb does. */
export function isForkBomb(source: string): boolean {
  return /(?<![\w:.])([\w:.]{1,20})\s{0,9}\(\)\s{0,9}\{[^}]{0,200}?\1\s{0,9}\|\s{0,9}\1\s{0,9}&/.test(
    source.slice(0, 65_536),
  );
}

function isDownload({ words }: FoundCommand): boolean {
  return DOWNLOAD.test(toName(words));
}

function isDecoder({ words }: FoundCommand): boolean {
  return DECODE.test(toName(words));
}

/** Whether a command turns a text that nobody can read into one that can run. */
export function isDecoding({ words }: FoundCommand): boolean {
  const name = toName(words);
  return /^(?:uudecode|b64decode)$/.test(name) || (isEncoder(name) && hasWord(words, /^(?:-[a-zA-Z]*[dDr]|--decode)$/));
}

function isEncoder(name: string): boolean {
  return /^(?:g?base64|base32|basenc|openssl|xxd)$/.test(name);
}

/** How many commands and texts a command reads from. */
function reads({ pipedFrom, redirects }: FoundCommand): number {
  return pipedFrom.length + redirects.filter(({ operator }) => operator.startsWith('<')).length;
}

function toName(words: readonly FoundWord[]): string {
  const name = words[0]?.text ?? '';
  return name.slice(name.lastIndexOf('/') + 1);
}

function toPipe({ pipedFrom, start, end }: FoundCommand): { start: number; end: number } {
  return { start: Math.min(start, ...pipedFrom.map((from) => from.start)), end };
}
