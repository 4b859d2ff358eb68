import { CONTEXT_LEVELS, type ContextLevel } from '../core/context-level.ts';
import { toHome, toHomeFile } from './home.ts';
import { readJsonFile } from './read-file.ts';

/**
 * How much of what surrounds a request may leave this machine: `BECKON_CONTEXT`, or the setting in Beckon's home. Files
 * of a project have no say. A wrong setting was meant to limit it, so it is `off`.
 */
export function findContextLevel(env: NodeJS.ProcessEnv): ContextLevel {
  const set = env['BECKON_CONTEXT'] || readJsonFile(toHomeFile(toHome(env), 'config'))['context'];
  if (set === undefined) return 'full';
  return CONTEXT_LEVELS.find((level) => level === set) ?? 'off';
}
