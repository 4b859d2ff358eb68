import { type FoundCommand, findCommands } from '../calls/find-commands.ts';
import type { CallText } from '../calls/read-call.ts';
import { unwrapCommand } from '../calls/unwrap-command.ts';
import type { Report } from './codes.ts';
import { checkRules } from './command-rules.ts';
import { checkDatabases } from './databases.ts';
import { checkDeletes } from './deletes.ts';
import { toPlace, type Where } from './files.ts';
import { checkGit } from './git-programs.ts';
import { checkInlineCode } from './inline-code.ts';
import { checkInstalls } from './installs.ts';
import { hasWord, type Look } from './look.ts';
import { checkNetwork } from './network.ts';
import { checkPaths } from './paths-of-commands.ts';
import { checkProduction } from './production.ts';
import { checkProgramsInPrograms } from './programs-in-programs.ts';
import { checkSearches } from './searches.ts';
import { checkTextsThatRun, isDecoding, isForkBomb, isKnownProgram } from './texts-that-run.ts';

/** How deep one-liners may run texts with one-liners in them. */
const MOST_DEPTH = 3;

/** Programs that start others by their name: `npx prisma`, `yarn exec prisma`. */
const RUNNERS = /^(?:npx|bunx|pnpx|pnpm|yarn|bun|npm|bundle|poetry|uv|pipenv|mise|dotenv|python[\d.]*)$/;

/** Reports what is special about a text for a shell. */
export function assessCommand({ text }: Pick<CallText, 'text'>, where: Where, report: Report, depth = 0): void {
  const { commands, functions, isWhole, isCut } = findCommands(text);
  if (isCut) report('too-long');
  else if (!isWhole) report('not-understood');
  if (isForkBomb(text)) report('kill-everything');
  for (const name of functions) if (isKnownProgram(name.text)) report('shadowed-command', name);
  let here = where;
  const made: Made = { downloaded: new Set(), decoded: new Set() };
  for (const command of commands) {
    const look = toLook(command, here, report);
    checkAll(look, depth);
    here = toFolderAfter(look);
    checkMade(look, made);
  }
}

function toLook(command: FoundCommand, where: Where, report: Report): Look {
  const [name, ...args] = command.words;
  const program = toProgram(name?.text ?? '');
  return { program, args, command, where, report };
}

function toProgram(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1).replace(/\.exe$/i, '');
}

function checkAll(look: Look, depth: number): void {
  checkRules(look);
  checkDeletes(look);
  checkPaths(look);
  checkSearches(look);
  checkTextsThatRun(look);
  checkNetwork(look);
  checkDatabases(look);
  checkProduction(look);
  checkInstalls(look);
  checkGit(look);
  checkEnvironment(look);
  checkRootShell(look);
  const { command, where, report, program } = look;
  const assess = (text: string): void => {
    if (depth < MOST_DEPTH) assessCommand({ text }, where, (code) => report(code, command), depth + 1);
  };
  checkInlineCode(look, assess);
  checkProgramsInPrograms(look, assess);
  checkScripts(look, depth);
  if (/^mkfs(?:\.\w+)?$|^format(?:\.com)?$/.test(program)) report('disk-overwrite', command);
  checkStarted(look);
}

/** `npx prisma migrate reset`, `yarn run rimraf src`: the program that a runner starts by its name. */
function checkStarted(look: Look): void {
  if (!RUNNERS.test(look.program)) return;
  const names = look.args.filter(({ text }) => /^[a-z]/i.test(text));
  const name = names.find(({ text }) => text !== 'run' && text !== 'exec');
  if (name === undefined) return;
  const started = { ...look, program: toProgram(name.text), args: look.args.slice(look.args.indexOf(name) + 1) };
  checkRules(started);
  checkProduction(started);
  checkDeletes(started);
}

/** `npm pkg set scripts.test=…` writes a command that runs later. */
function checkScripts({ program, args, where, report }: Look, depth: number): void {
  if (program !== 'npm' || args[0]?.text !== 'pkg' || args[1]?.text !== 'set') return;
  for (const word of args.slice(2)) {
    const script = /^scripts\.[^=]+=(.+)$/s.exec(word.text)?.[1];
    if (script === undefined) continue;
    report('package-scripts', word);
    if (depth < MOST_DEPTH) assessCommand({ text: script }, where, (code) => report(code, word), depth + 1);
  }
}

/** `sudo -i`, `sudo bash`: only the options of sudo itself count, and a shell whose text is shown is none. */
function checkRootShell({ program, args, command, report }: Look): void {
  if (program !== 'sudo' && program !== 'doas') return;
  const [inner = { words: [] }] = unwrapCommand(command.words);
  const [name, ...rest] = 'words' in inner ? inner.words : [];
  const own = name === undefined ? args : args.slice(0, args.indexOf(name));
  const option = own.find(({ text }) => /^(?:-[a-zA-Z]*[is][a-zA-Z]*|--login|--shell)$/.test(text));
  const isShell = /^(?:su|(?:ba|z|da|k|fi)?sh)$/.test(toProgram(name?.text ?? '')) && !hasWord(rest, /^-[a-z]*c$/);
  if (option !== undefined || isShell) report('root-shell', option ?? name ?? command);
}

function checkEnvironment({ program, args, command, report }: Look): void {
  const isShown = (program === 'env' || program === 'printenv' || program === 'set') && args.length === 0;
  const isDrive = /^(?:Get-ChildItem|gci|dir|ls)$/i.test(program) && hasWord(args, /^env:\\?$/i);
  if (isShown || isDrive) report('environment-read', command);
}

/** `cd` changes where the commands after it run. In a place that is not known, no path can be judged by its folder. */
function toFolderAfter({ program, args, where }: Look): Where {
  if (program !== 'cd' && program !== 'pushd') return where;
  const target = args.find(({ text }) => !/^-[LPe@]*$/.test(text))?.text ?? '~';
  const folder = toPlace(target, where);
  return folder === undefined ? where : { ...where, folder, root: where.root ?? where.folder };
}

/** The names of files that a text has made, so that nobody has read them. */
interface Made {
  downloaded: Set<string>;
  decoded: Set<string>;
}

/** `curl -o x … ; chmod +x x; ./x`, `base64 -d y > x; sh x` */
function checkMade(look: Look, { downloaded, decoded }: Made): void {
  const { program, args, command, report } = look;
  const names = [command.words[0], ...(program === 'chmod' || isRunner(program) ? args : [])];
  for (const word of names) {
    if (word === undefined) continue;
    if (downloaded.has(toBase(word.text))) report('downloaded-program', command);
    if (decoded.has(toBase(word.text)) && program !== 'chmod') report('encoded-command', command);
  }
  if (isDecoding(command)) for (const { target } of command.redirects) decoded.add(toBase(target.text));
  if (program !== 'curl' && program !== 'wget') return;
  const option = program === 'curl' ? /^(?:-[a-zA-Z]*o|--output)$/ : /^(?:-[a-zA-Z]*O|--output-document)$/;
  args.forEach(({ text }, at) => {
    if (option.test(args[at - 1]?.text ?? '')) downloaded.add(toBase(text));
    else if (/^https?:/.test(text) && (program === 'wget' || args.some((word) => /^-[a-zA-Z]*O$/.test(word.text))))
      downloaded.add(toBase(text));
  });
  for (const { target } of command.redirects) downloaded.add(toBase(target.text));
  downloaded.delete('');
  downloaded.delete('null');
  downloaded.delete('-');
}

function isRunner(program: string): boolean {
  return /^(?:(?:ba|z|da|k)?sh|python[\d.]*|node|perl|ruby|source|\.|php|sudo|dpkg|rpm|installer|open)$/.test(program);
}

function toBase(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
