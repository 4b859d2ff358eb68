import { hash } from 'node:crypto';
import { readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createPrivateFile, makePrivateFolder } from '../../machine/private-file.ts';
import { forgetOld } from './forget-old.ts';

/**
 * Notes something that the people of a session are to be told, once a session. Hooks are separate processes, and only
 * some of them can tell: this folder of the home is how they agree.
 */
export function noteFor(folder: string, sessionId: string, message: string): void {
  makePrivateFolder(folder);
  const [untold, told] = toPaths(folder, sessionId);
  if (statSync(told, { throwIfNoEntry: false }) !== undefined) return;
  if (createPrivateFile(untold, message)) forgetOld(folder);
}

/** What the people of a session are to be told now; `null` if that is nothing, or another hook tells them. */
export function takeNote(folder: string, sessionId: string): string | null {
  const [untold, told] = toPaths(folder, sessionId);
  try {
    // Of several hooks at once, one succeeds.
    renameSync(untold, told);
    return readFileSync(told, 'utf8');
  } catch {
    return null;
  }
}

/** Forgets a session that has ended. */
export function forgetSession(folder: string, sessionId: string): void {
  for (const path of toPaths(folder, sessionId)) rmSync(path, { force: true });
}

// The id of a session may be any text, so it cannot be a name.
function toPaths(folder: string, sessionId: string): [untold: string, told: string] {
  const path = join(folder, hash('sha256', sessionId).slice(0, 32));
  return [`${path}.untold`, `${path}.told`];
}
