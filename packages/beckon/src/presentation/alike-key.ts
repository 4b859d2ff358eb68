import type { Interaction } from '../protocol/interaction.ts';
import type { JsonObject } from '../protocol/json.ts';
import { ownText } from '../protocol/tool-input.ts';

/** Characters that make a shell do more than run one command with these words. */
const SHELL = /[;&|<>()`$\\\n\r{}*?[\]~!#"']|^[^\s]*=/;
const OPTION = /^-/;
/** A second word like this is part of the command's name, as in `npm test` and `git push`. */
const SUBCOMMAND = /^[a-z][a-z0-9:-]*$/;

/**
 * A key that approvals of the same shape share, so they can be decided together: the same tool, and the same command
 * with the same options, the same folder and type of file, or the same host. `null` for what cannot be decided
 * together: only an approval can be answered without having been read whole.
 */
export function toAlikeKey(interaction: Interaction): string | null {
  if (interaction.kind !== 'approval') return null;
  const { tool, input } = interaction.request;
  return JSON.stringify([tool, toShape(input)]);
}

function toShape(input: JsonObject): unknown {
  const command = ownText(input, 'command');
  if (command !== undefined) return toCommandShape(command);
  const path = ownText(input, 'file_path') ?? ownText(input, 'notebook_path');
  if (path !== undefined) return toFileShape(path);
  const url = ownText(input, 'url');
  if (url !== undefined) return toHost(url);
  return null;
}

// A command with anything but plain words is like itself only: what `npm test && …` does is in its second half.
function toCommandShape(command: string): unknown {
  const text = command.trim();
  if (SHELL.test(text)) return text;
  const [name = '', second = '', ...rest] = text.split(/[ \t]+/);
  const words = SUBCOMMAND.test(second) ? [name, second] : [name];
  const options = [second, ...rest].filter((word) => OPTION.test(word)).sort();
  return [words, options];
}

function toFileShape(path: string): unknown {
  const end = path.lastIndexOf('/');
  const name = path.slice(end + 1);
  const dot = name.lastIndexOf('.');
  return [path.slice(0, Math.max(0, end)), dot <= 0 ? name : name.slice(dot)];
}

function toHost(url: string): string {
  const [, host] = /^https?:\/\/([^/?#@\\\s]+)(?:[/?#]|$)/i.exec(url) ?? [];
  return host?.toLowerCase() ?? url;
}
