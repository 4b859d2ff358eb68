import { mkdirSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { readIfThere, writeWhole } from '../../machine/private-file.ts';
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
  const text = readIfThere(path);
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

/**
 * Replaces the file; readers see the old text or the new one. Returns the path of the backup if there was a file
 * before. Throws `invalid_input` if the file has changed since it was read: Claude Code writes it too, and a person may
 * take long to decide.
 */
export function writeSettings({ path, text: before }: SettingsFile, text: string, now: Date): string | undefined {
  if (readIfThere(path) !== before) {
    throw new BeckonError('invalid_input', `${path} was changed meanwhile, so nothing was written. Run it again.`);
  }
  mkdirSync(dirname(path), { recursive: true });
  // A link stays a link: its target is replaced.
  const target = before === undefined ? path : realpathSync(path);
  const mode = before === undefined ? 0o600 : statSync(target).mode & 0o777;
  const backup = before === undefined ? undefined : `${path}.${now.toISOString().replaceAll(/[:.]/g, '-')}.bak`;
  if (backup !== undefined) writeFileSync(backup, before ?? '', { mode });
  writeWhole(target, text, mode);
  return backup;
}
