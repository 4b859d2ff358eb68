import { accessSync, constants } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import type { MachineLoginBody } from '../../protocol/machine-login.ts';

/** The agents that Beckon knows how to connect, by the program that starts them. */
const AGENTS: Readonly<Record<string, string>> = { 'Claude Code': 'claude' };

/** Longest name that a server takes. */
const MOST_CHARS = 100;

/** What this machine says of itself when it wants to come in. `name` replaces its own. */
export function describeMachine(name?: string): Omit<MachineLoginBody, 'hash'> {
  return { machine: toLabel(name ?? hostname(), 'machine'), user: toLabel(readUser(), 'user'), agents: findAgents() };
}

function readUser(): string {
  try {
    return userInfo().username;
  } catch {
    return ''; // In a container, the user may have no name.
  }
}

function findAgents(): string[] {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return Object.entries(AGENTS).flatMap(([agent, program]) =>
    folders.some((folder) => isProgram(join(folder, program))) ? [agent] : [],
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function toLabel(text: string, otherwise: string): string {
  const label = text
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '')
    .slice(0, MOST_CHARS)
    .toWellFormed();
  return label.trim() === '' ? otherwise : label;
}
