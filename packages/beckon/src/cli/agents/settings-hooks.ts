import { findOwnHooks, type HookEntry, mergeHooks, removeOwnHooks } from '../claude/hook-entries.ts';
import { parseSettings, withHooks } from '../claude/settings-file.ts';
import type { HookFile } from './hook-client.ts';
import { parseHookLine } from './hook-line.ts';

/** A file with hooks in the layout of Claude Code's settings. */
export function createSettingsHooks(options: {
  agent: string;
  path: () => string;
  /** The fields of an entry besides its type and command. */
  toFields: (seconds: number) => Record<string, unknown>;
}): HookFile {
  const { agent, path, toFields } = options;
  const isOwn = ({ type, command }: HookEntry): boolean => type === 'command' && parseHookLine(agent, command) !== null;
  return {
    path,
    listLines: (text, at) => findOwnHooks(parseSettings(text, at).hooks, isOwn).map(({ hook }) => hook.command),
    add: (text, hooks, at) => {
      const file = parseSettings(text, at);
      const own = Object.fromEntries(
        hooks.map(({ event, line, seconds }) => [
          event,
          [{ hooks: [{ type: 'command', command: line, ...toFields(seconds) }] }],
        ]),
      );
      return withHooks(file, mergeHooks(file.hooks, own, at, isOwn));
    },
    remove: (text, at) => {
      const file = parseSettings(text, at);
      return withHooks(file, removeOwnHooks(file.hooks, isOwn));
    },
    findProblems: (text, at) =>
      parseSettings(text, at).settings['disableAllHooks'] === true
        ? [`"disableAllHooks" in ${at} turns them off.`]
        : [],
  };
}
