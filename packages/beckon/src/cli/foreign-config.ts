import { join } from 'node:path';
import { CONFIG_FILE } from './config.ts';

/** Whether a setting comes from a file that is not in the home: that of a folder, which may have come from somebody else. */
export function isForeign({ from }: { from: string }, home: { value: string }): boolean {
  return from.endsWith(CONFIG_FILE) && from !== join(home.value, CONFIG_FILE);
}
