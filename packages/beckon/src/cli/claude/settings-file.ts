import { homedir } from 'node:os';
import { join } from 'node:path';
import { readIfThere } from '../../machine/private-file.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { Hooks } from './hook-entries.ts';
import { parseObject, setField } from './json-text.ts';

/** Whose settings: this user's, everybody's in this project, or this user's in this project. */
export const SCOPES = ['user', 'project', 'local'] as const;
export type Scope = (typeof SCOPES)[number];

/** A settings file of Claude Code. */
export interface SettingsFile {
  path: string;
  /** `undefined` if there is no file. */
  text: string | undefined;
  settings: Record<string, unknown>;
  hooks: Hooks;
}

/** Where Claude Code keeps the settings of a scope. */
export function toSettingsPath(scope: Scope, { env = process.env, cwd = process.cwd() } = {}): string {
  switch (scope) {
    case 'user':
      return join(env['CLAUDE_CONFIG_DIR'] || join(homedir(), '.claude'), 'settings.json');
    case 'project':
      return join(cwd, '.claude', 'settings.json');
    case 'local':
      return join(cwd, '.claude', 'settings.local.json');
  }
}

/** Reads a settings file. Throws `invalid_input` if it is not valid: it is not ours to repair. */
export function readSettings(path: string): SettingsFile {
  return parseSettings(readIfThere(path), path);
}

/** The same with a text that was read before. */
export function parseSettings(text: string | undefined, path: string): SettingsFile {
  const settings = text === undefined || text.trim() === '' ? {} : parseObject(text.replace(/^\uFEFF/, ''), path);
  const { hooks = {} } = settings;
  if (typeof hooks === 'object' && hooks !== null && !Array.isArray(hooks)) {
    return { path, text, settings, hooks: hooks as Hooks };
  }
  throw new BeckonError(
    'invalid_input',
    `${path} has "hooks" that are not a JSON object. Beckon does not touch it. Repair it first.`,
  );
}

/** The text of the file with these hooks in place of its own. */
export function withHooks({ text, hooks: before }: SettingsFile, hooks: Hooks): string {
  const base = text === undefined || text.trim() === '' ? '{}\n' : text;
  const isEmpty = Object.keys(hooks).length === 0;
  // A field that was empty before is not ours.
  return setField(base, 'hooks', isEmpty && Object.keys(before).length > 0 ? undefined : hooks);
}
