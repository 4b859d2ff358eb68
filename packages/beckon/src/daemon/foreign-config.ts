import { HOME_FILES, toHomeFile } from './home.ts';

/** Whether a setting comes from a file that is not in the home: that of a folder, which may have come from somebody else. */
export function isForeign({ from }: { from: string }, home: { value: string }): boolean {
  return from.endsWith(HOME_FILES.config) && from !== toHomeFile(home.value, 'config');
}
