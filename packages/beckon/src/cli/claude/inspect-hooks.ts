import { existsSync } from 'node:fs';
import { BeckonError } from '../../protocol/errors.ts';
import { parseHookOptions } from '../hook/hook-options.ts';
import { findOwnArguments, findOwnHooks, type HookEntry } from './hook-entries.ts';
import { readSettings, type Scope, toSettingsPath } from './settings-file.ts';
import type { HookCommand } from './try-hook.ts';

/** What is in the settings of one scope. */
export interface ScopeReport {
  scope: Scope;
  path: string;
  events: string[];
  problems: string[];
}

/** Looks for Beckon's hooks in the settings of one scope, for this folder. */
export function inspectHooks(scope: Scope): { report: ScopeReport; hooks: HookEntry[] } {
  const path = toSettingsPath(scope);
  try {
    const { settings, hooks } = readSettings(path);
    const own = findOwnHooks(hooks);
    const problems: string[] = [];
    if (own.length > 0 && settings['disableAllHooks'] === true) problems.push('"disableAllHooks" turns them off');
    const missing = findMissingProgram(own.map(({ hook }) => hook));
    if (missing !== undefined) problems.push(`${missing} no longer exists. Run "beckon claude install" again.`);
    const report = { scope, path, events: own.map(({ event }) => event), problems };
    return { report, hooks: own.map(({ hook }) => hook) };
  } catch (error) {
    if (!(error instanceof BeckonError)) throw error;
    return { report: { scope, path, events: [], problems: [error.message] }, hooks: [] };
  }
}

/** A program that hooks name by its path, and that is no longer there. */
export function findMissingProgram(hooks: readonly HookEntry[]): string | undefined {
  return hooks
    .flatMap((hook) => [hook.command ?? '', hook.args?.[0] ?? ''])
    .find((program) => program.startsWith('/') && !existsSync(program));
}

/** The commands to try, each once: hooks that differ only in what they ask take the same way. */
export function toWays(hooks: readonly HookEntry[]): HookCommand[] {
  const toWay = (hook: HookEntry): string =>
    JSON.stringify([hook.command, hook.args?.slice(0, 1), parseHookOptions(findOwnArguments(hook) ?? []).where]);
  const ways = new Map(hooks.map((hook) => [toWay(hook), hook]));
  return Array.from(ways.values(), ({ command = '', args }) => ({ command, args }));
}
