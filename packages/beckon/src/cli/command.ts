import { Command } from 'commander';

/** What every command is declared with. */
export interface CommandOptions {
  summary: string;
  /** Shown below the options, each with what it does. */
  examples: readonly (readonly [command: string, does: string])[];
  /** More to know, shown after the examples. */
  more?: string;
}

/** Examples up to so many characters have what they do beside them, others below. */
const SHORT = 46;
/** What stands beside long names is wrapped too, down to so many columns. */
const NARROW = 30;

/** Creates a command that reports faults of usage as one line, and leaves ending the process to the caller. */
export function createCommand(name: string, { summary, examples, more }: CommandOptions): Command {
  const short = examples.map(([command]) => command.length).filter((length) => length <= SHORT);
  const width = Math.max(0, ...short);
  const lines = examples.map(([command, does]) =>
    command.length <= SHORT ? `  ${command.padEnd(width)}  ${does}` : `  ${command}\n      ${does}`,
  );
  const command = new Command(name)
    .description(summary)
    .helpOption('-h, --help', 'show this')
    .configureHelp({ minWidthToWrap: NARROW })
    .exitOverride()
    .configureOutput({
      outputError: (text, write) => write(`beckon: ${toFault(text)} See: ${toPath(command)} --help\n`),
    });
  if (lines.length > 0) command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
  if (more !== undefined) command.addHelpText('after', `\n${more}`);
  return command;
}

/** Creates a command that has commands of its own. */
export function createGroup(name: string, options: CommandOptions): Command {
  return createCommand(name, options)
    .usage('COMMAND [options]')
    .helpCommand('help [command]', 'show the help of a command');
}

/** What Commander says about a fault of usage, as one sentence. */
export function toFault(text: string): string {
  const fault = text
    .replace(/^error: /, '')
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ');
  return `${fault}${/[.?)]$/.test(fault) ? '' : '.'}`;
}

/** For an option that may be given several times. */
export function collect(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value];
}

function toPath(command: Command): string {
  return command.parent === null ? command.name() : `${toPath(command.parent)} ${command.name()}`;
}
