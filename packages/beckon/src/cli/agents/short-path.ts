import { homedir } from 'node:os';
import { sep } from 'node:path';

/** A path as people write it: `~` is their home folder. */
export function toShortPath(path: string): string {
  const home = homedir();
  return home !== sep && path.startsWith(`${home}${sep}`) ? `~${path.slice(home.length)}` : path;
}
