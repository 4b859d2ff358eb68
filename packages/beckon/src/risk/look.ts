import type { FoundCommand, FoundWord } from '../calls/find-commands.ts';
import type { Report } from './codes.ts';
import type { Where } from './files.ts';

/** A command that is looked at: its program without folder, and its other words. */
export interface Look {
  program: string;
  args: readonly FoundWord[];
  command: FoundCommand;
  where: Where;
  report: Report;
}

/** Options of many programs that take the next word as their value. */
const VALUED =
  /^(?:-C|-c|-n|-H|-R|--(?:context|kube-context|namespace|profile|region|project|subscription|resource-group|kubeconfig|git-dir|work-tree|host|cwd|prefix|filter|workspace|repo|config|app|chdir|stack|cluster|zone|endpoint-url|output|dir|directory))$/;

/** The words that are no options and no values of options, as far as that can be told. */
export function toOperands(args: readonly FoundWord[]): FoundWord[] {
  const operands: FoundWord[] = [];
  let isValue = false;
  for (const word of args) {
    if (!isValue && !word.text.startsWith('-')) operands.push(word);
    isValue = !isValue && VALUED.test(word.text);
  }
  return operands;
}

/** Whether one of the words matches. */
export function hasWord(args: readonly FoundWord[], pattern: RegExp): boolean {
  return args.some(({ text }) => pattern.test(text));
}
