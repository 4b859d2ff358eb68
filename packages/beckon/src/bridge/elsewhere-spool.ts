import { hash } from 'node:crypto';
import { appendFileSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import type { HookInput } from '../core/hooks.ts';
import { createPrivateFile, makePrivateFolder } from '../machine/private-file.ts';
import { toSpoolText, writeSpoolFile } from './spool.ts';

/** Most that waits for one Beckon. What comes after that is dropped, and counted. */
export const SPOOL_LIMITS = { bytes: 64 * 1024 * 1024, files: 10_000 };

/** Says which Beckon the folder belongs to. */
const ADDRESS_FILE = 'beckon.json';
/** Grows by one byte with each hook that was dropped. */
const DROPPED_FILE = 'dropped';
const BAD_FOLDER = 'bad';

/** What waits for one Beckon elsewhere. */
export interface SpoolState {
  hooks: number;
  bytes: number;
  /** Hooks that were lost because the spool was full. */
  dropped: number;
  /** Files that Beckon will never take, set aside. */
  bad: number;
}

/**
 * The folder of hooks for the Beckon at `url`. Each address has its own, so that no hook goes to another Beckon than
 * the one it was meant for.
 */
export function toSpoolFolder(root: string, url: string): string {
  const { host } = new URL(url);
  return join(root, `${host.replaceAll(/[^\w.-]/g, '_').slice(0, 60)}-${hash('sha256', url).slice(0, 12)}`);
}

/** Whether hooks wait in a folder. */
export function hasSpooled(folder: string): boolean {
  return listNames(folder).some(isHook);
}

/**
 * Writes a hook for the Beckon at `url`, and returns the path of its file. It is on disk when this returns. `null`: the
 * spool is full, and the hook is lost.
 */
export function spoolElsewhere(root: string, url: string, hook: HookInput): string | null {
  const folder = toSpoolFolder(root, url);
  const { content, at } = toSpoolText(hook);
  const bytes = Buffer.byteLength(content);
  const names = listNames(folder).filter(isHook);
  if (names.length >= SPOOL_LIMITS.files || countBytes(names) + bytes > SPOOL_LIMITS.bytes) {
    makePrivateFolder(folder);
    appendFileSync(join(folder, DROPPED_FILE), '.', { mode: 0o600 });
    return null;
  }
  if (names.length === 0) {
    makePrivateFolder(folder);
    createPrivateFile(join(folder, ADDRESS_FILE), `${JSON.stringify({ url })}\n`);
  }
  // Names sort by when the hooks happened, because a hook that waited for Beckon and got no reply is written late. They
  // have the size, so that the whole is measured without a look at each file.
  return writeSpoolFile(folder, `${uuidv7({ msecs: Date.parse(at) })}.${bytes}`, content);
}

/** Measures what waits in a folder. */
export function measureSpool(folder: string): SpoolState {
  const names = listNames(folder).filter(isHook);
  return {
    hooks: names.length,
    bytes: countBytes(names),
    dropped: statSync(join(folder, DROPPED_FILE), { throwIfNoEntry: false })?.size ?? 0,
    bad: listNames(join(folder, BAD_FOLDER)).length,
  };
}

/** Forgets how many hooks were dropped. */
export function forgetDropped(folder: string): void {
  rmSync(join(folder, DROPPED_FILE), { force: true });
}

/** Every folder with the address of its Beckon. */
export function listSpools(root: string): { folder: string; url: string }[] {
  return listNames(root)
    .toSorted()
    .flatMap((name) => {
      const folder = join(root, name);
      const url = readAddress(folder);
      // Only the folder that the address itself leads to: a copy or a renamed one could send to another Beckon.
      return url !== null && toSpoolFolder(root, url) === folder ? [{ folder, url }] : [];
    });
}

function readAddress(folder: string): string | null {
  try {
    const { url } = JSON.parse(readFileSync(join(folder, ADDRESS_FILE), 'utf8')) as { url?: unknown };
    return typeof url === 'string' && URL.canParse(url) ? url : null;
  } catch {
    return null;
  }
}

function countBytes(names: readonly string[]): number {
  return names.reduce((sum, name) => sum + (Number(name.split('.')[1]) || 0), 0);
}

function isHook(name: string): boolean {
  return name.endsWith('.hook');
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Nothing was ever kept there.
    return [];
  }
}
