import { Command } from 'commander';

/** What every command is declared with. */
export interface CommandOptions {
  summary: string;
  /** Shown below the options, each with what it does. */
  examples: readonly (readonly [command: string, does: string])[];
  /** More to know, shown after the examples. */
  more?: string;
}

/** Creates a command that reports faults of usage as one line, and leaves ending the process to the caller. */
export function createCommand(name: string, { summary, examples, more }: CommandOptions): Command {
  const width = Math.max(0, ...examples.map(([command]) => command.length));
  const lines = examples.map(([command, does]) => `  ${command.padEnd(width)}  ${does}`);
  const command = new Command(name)
    .description(summary)
    .helpOption('-h, --help', 'show this')
    .exitOverride()
    .configureOutput({
      outputError: (text, write) =>
        write(`beckon: ${text.replace(/^error: /, '').trim()}. See: ${toPath(command)} --help\n`.replace('..', '.')),
    });
  if (lines.length > 0) command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
  if (more !== undefined) command.addHelpText('after', `\n${more}`);
  return command;
}

/** For an option that may be given several times. */
export function collect(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value];
}

function toPath(command: Command): string {
  return command.parent === null ? command.name() : `${toPath(command.parent)} ${command.name()}`;
}
