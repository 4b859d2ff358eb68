import { Command } from 'commander';

/** What describes a command. */
export interface CommandOptions {
  summary: string;
  /** Shown below the options, each with a description. */
  examples: readonly (readonly [command: string, does: string])[];
  /** Shown after the examples. */
  more?: string;
}

/** Examples up to so many characters have their description beside them, longer ones below. */
const SHORT = 46;
/** Descriptions are wrapped down to so many columns. */
const NARROW = 30;

/** Creates a command that reports a usage error on one line, and leaves ending the process to the caller. */
export function createCommand(name: string, { summary, examples, more }: CommandOptions): Command {
  const short = examples.map(([command]) => command.length).filter((length) => length <= SHORT);
  const width = Math.max(0, ...short);
  const lines = examples.map(([command, does]) =>
    command.length <= SHORT ? `  ${command.padEnd(width)}  ${does}` : `  ${command}\n      ${does}`,
  );
  const command = new Command(name)
    .description(summary)
    .helpOption('-h, --help', 'show this help')
    .configureHelp({ minWidthToWrap: NARROW })
    .exitOverride()
    .configureOutput({
      outputError: (text, write) => write(`beckon: ${toFault(text)} See: ${toPath(command)} --help\n`),
    });
  if (lines.length > 0) command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
  if (more !== undefined) command.addHelpText('after', `\n${more}`);
  return command;
}

/** Creates a command with subcommands. */
export function createGroup(name: string, options: CommandOptions): Command {
  return createCommand(name, options)
    .usage('COMMAND [options]')
    .helpCommand('help [command]', 'show help for a command');
}

/** Commander's message about a usage error, as one sentence. */
export function toFault(text: string): string {
  const fault = text
    .replace(/^error: /, '')
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ');
  return `${fault}${/[.?)]$/.test(fault) ? '' : '.'}`;
}

/** For an option that can be repeated. */
export function collect(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value];
}

function toPath(command: Command): string {
  return command.parent === null ? command.name() : `${toPath(command.parent)} ${command.name()}`;
}
