import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Loads a module of a peer from the folder where it is installed. Peers are no dependencies of this repository, so
 * their types are not here: each caller names as much of the module as it uses. Node needs
 * `--experimental-import-meta-resolve`.
 */
export async function importPeer<Module>(folder: string, name: string): Promise<Module> {
  return (await import(import.meta.resolve(name, pathToFileURL(join(folder, 'package.json'))))) as Module;
}
