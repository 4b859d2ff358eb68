import { dirname } from 'node:path';
import * as z from 'zod/mini';
import { parse } from '../../protocol/parse.ts';
import { parseSettings } from '../claude/settings-file.ts';
import { withCodexAppServer } from './codex-app-server.ts';
import { parseHookLine } from './hook-line.ts';

const HooksList = z.looseObject({
  data: z.array(
    z.looseObject({
      hooks: z.array(
        z.looseObject({
          key: z.string(),
          command: z.nullish(z.string()),
          sourcePath: z.nullish(z.string()),
          currentHash: z.string(),
        }),
      ),
    }),
  ),
});

/**
 * Tells Codex to trust Beckon's hooks, and no others: without that it skips them silently. It keeps that in its own
 * config.toml. Returns how many there are. Throws `unreachable`.
 */
export function trustCodexHooks(program: string, path: string): Promise<number> {
  return withCodexAppServer(program, async (call) => {
    const listed = parse(HooksList, await call('hooks/list', { cwds: [dirname(path)] }), { what: 'list of hooks' });
    const own = listed.data
      .flatMap(({ hooks }) => hooks)
      .filter(({ sourcePath, command }) => sourcePath === path && parseHookLine('codex', command) !== null);
    const value = Object.fromEntries(own.map(({ key, currentHash }) => [key, { trusted_hash: currentHash }]));
    await call('config/batchWrite', {
      edits: [{ keyPath: 'hooks.state', value, mergeStrategy: 'upsert' }],
      reloadUserConfig: true,
    });
    return own.length;
  });
}

/** The names under which Codex keeps its trust in Beckon's hooks: the file, the event and the place in the file. */
export function listTrustKeys(text: string, path: string): string[] {
  return Object.entries(parseSettings(text, path).hooks).flatMap(([event, groups]) =>
    groups.flatMap(({ hooks }, group) =>
      hooks.flatMap(({ command }, hook) =>
        parseHookLine('codex', command) === null ? [] : [`${path}:${toSnakeCase(event)}:${group}:${hook}`],
      ),
    ),
  );
}

/** Whether Codex was told to trust all of these. */
export function hasTrust(config: string, keys: readonly string[]): boolean {
  return keys.every((key) => config.includes(toTable(key)));
}

/** The text of config.toml without what `trustCodexHooks` had Codex write. */
export function withoutTrust(config: string, keys: readonly string[]): string {
  const rest = keys.reduce((text, key) => removeTable(text, toTable(key)), config);
  return rest.includes('[hooks.state.') ? rest : removeTable(rest, '[hooks.state]');
}

/** Removes a table whose only field, if any, is the hash. Anything else in it is somebody else's. */
function removeTable(text: string, head: string): string {
  const at = `\n${text}`.indexOf(`\n${head}\n`);
  if (at < 0) return text;
  const [whole = ''] = /^[^\n]*\n(?:trusted_hash = "[^"\n]*"\n)?\n*(?=\[|$)/.exec(text.slice(at)) ?? [];
  const before = text.slice(0, at);
  const after = text.slice(at + whole.length);
  return after === '' && whole !== '' ? before.replace(/\n\n$/, '\n') : `${before}${after}`;
}

function toTable(key: string): string {
  return `[hooks.state.${JSON.stringify(key)}]`;
}

function toSnakeCase(event: string): string {
  return event.replaceAll(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}
