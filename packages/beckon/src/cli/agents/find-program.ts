import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { readPackageVersion } from './package-version.ts';

/** A program of this machine, as far as it could be found out. */
export interface FoundProgram {
  /** Its path; `null` if it is not on the PATH. */
  program: string | null;
  /** Its version; `null` if there is no program, or it did not say. */
  version: string | null;
  /** Why there is no version, with the next step. */
  problems: string[];
}

/** Some agents load megabytes of JavaScript before they say their version. */
const LIMIT_MS = 15_000;
/** A version is in the first lines, if anywhere. */
const MOST_BYTES = 16_384;
const VERSION = /(?<![\w.])v?(\d{1,9}\.\d{1,9}\.\d{1,12}(?:[-+][0-9A-Za-z.-]{1,40})?)(?!\w)/;

/**
 * Looks for a program on the PATH, and asks it for its version. Never throws, whatever the program does. With
 * `isMessy`, it is not started if its npm package says the version: some leave files behind even then.
 */
export async function findProgram(name: string, { isMessy = false } = {}): Promise<FoundProgram> {
  const program = findOnPath(name);
  if (program === null) return { program, version: null, problems: [] };
  const packaged = isMessy ? readPackageVersion(program) : null;
  if (packaged !== null) return { program, version: packaged, problems: [] };
  const said = await askVersion(program);
  if ('version' in said) return { program, version: said.version, problems: [] };
  const problem = `"${program} --version" ${said.fault}. Check whether it starts, or install it again.`;
  return { program, version: null, problems: [problem] };
}

/** The first program of this name on the PATH. Parts of the PATH that depend on the current folder do not count. */
export function findOnPath(name: string, path: string = process.env['PATH'] ?? ''): string | null {
  const found = path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, name))
    .find(isProgram);
  return found ?? null;
}

/** Whether one version is older or newer than another, by their numbers. `null` if it cannot be said. */
export function compareVersions(version: string, other: string): 'older' | 'same' | 'newer' | null {
  if (version === other) return 'same';
  const [one, two] = [version, other].map((text) => VERSION.exec(text)?.[1]?.split(/[-+]/)[0]?.split('.').map(Number));
  if (one === undefined || two === undefined) return null;
  const at = one.findIndex((number, index) => number !== two[index]);
  // The numbers are the same: one of them is a preview, or a build of its own.
  if (at === -1) return null;
  return (one[at] ?? 0) < (two[at] ?? 0) ? 'older' : 'newer';
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function askVersion(program: string): Promise<{ version: string } | { fault: string }> {
  return new Promise((resolve) => {
    // In a group of its own, so that what it starts ends with it.
    const child = spawn(program, ['--version'], { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    // pi prints its version on stderr.
    const streams = [child.stdout, child.stderr];
    const outputs = ['', ''];
    const giveUp = (fault: string): void => {
      clearTimeout(timer);
      if (child.pid !== undefined) endGroup(child.pid);
      for (const stream of streams) stream.destroy();
      resolve({ fault });
    };
    const timer = setTimeout(() => giveUp(`did not end within ${LIMIT_MS / 1000} s`), LIMIT_MS);
    for (const [index, stream] of streams.entries()) {
      stream.on('data', (chunk: Buffer) => {
        outputs[index] += chunk.toString();
        if ((outputs[index]?.length ?? 0) > MOST_BYTES) giveUp('printed far more than a version');
      });
    }
    child.on('error', (error: NodeJS.ErrnoException) => giveUp(`could not be run (${error.code})`));
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      const version = VERSION.exec(outputs.join('\n'))?.[1];
      if (code !== 0) resolve({ fault: code === null ? `was ended by ${signal}` : `ended with exit code ${code}` });
      else resolve(version === undefined ? { fault: 'did not print a version' } : { version });
    });
  });
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended in this moment.
  }
}
