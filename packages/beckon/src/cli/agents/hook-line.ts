import { toOwnCommand } from '../claude/try-hook.ts';

/** The program that `toHookLine` writes, built or from the sources. */
const OWN_PROGRAM = /[\\/](?:dist[\\/]cli[\\/]main\.js|src[\\/]cli[\\/]main\.ts)$/;
/** Two quoted paths and words that mean nothing to a shell. */
const LINE = /^exec '((?:[^']|'\\'')+)' '((?:[^']|'\\'')+)' hook ([\w-]+)((?: [\w.:@+=~/-]+)*)$/;

/**
 * The hook command as a line for a shell. `exec`, so that no shell is between the client and the hook: the hook would
 * not notice that the client is gone.
 */
export function toHookLine(agent: string, options: readonly string[]): string {
  return ['exec', ...toOwnCommand().map(quote), 'hook', agent, ...options].join(' ');
}

/** Reads such a line; `null` if it is not one of ours for this agent. */
export function parseHookLine(agent: string, line: unknown): { command: string; args: readonly string[] } | null {
  const [, program = '', main = '', named, options = ''] = (typeof line === 'string' && LINE.exec(line)) || [];
  if (named !== agent || !OWN_PROGRAM.test(unquote(main))) return null;
  const words = options.split(' ').filter((word) => word !== '');
  return { command: unquote(program), args: [unquote(main), 'hook', agent, ...words] };
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function unquote(text: string): string {
  return text.replaceAll("'\\''", "'");
}
