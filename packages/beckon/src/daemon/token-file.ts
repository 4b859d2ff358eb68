import { hostname, userInfo } from 'node:os';
import { isOpenToOthers, makePrivate, readIfThere, writePrivateFile } from '../machine/private-file.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { Tokens } from '../runtime/tokens.ts';
import { toHomeFile } from '../where/home.ts';

/** Where the token of this machine's user is. */
export function toTokenPath(home: string): string {
  return toHomeFile(home, 'token');
}

/** The token in the file; `undefined` if there is none. */
export function readTokenFile(path: string): string | undefined {
  const text = readIfThere(path)?.trim();
  return text === '' ? undefined : text;
}

/** Makes sure that the file has an admin token of this store. Returns remarks for people on what was done. */
export async function ensureTokenFile(path: string, tokens: Tokens): Promise<string[]> {
  const remarks: string[] = [];
  const token = readTokenFile(path);
  if (token !== undefined && isOpenToOthers(path)) {
    makePrivate(path);
    remarks.push(
      `${path} was open to other users of this machine; its mode is 0600 again. If others may have read it, revoke it.`,
    );
  }
  if (token !== undefined && (await tokens.check(token))?.role === 'admin') return remarks;
  // The name is what people read in "answered by", so it says who sits at this machine.
  const { name, text } = await createToken(tokens, toOwnerName(), 'admin');
  writePrivateFile(path, `${text}\n`);
  remarks.push(
    token === undefined
      ? `Created the admin token "${name}" in ${path}.`
      : `The token in ${path} is not valid in this store; replaced it with the new admin token "${name}".`,
  );
  return remarks;
}

/** Creates a token under this name, or the first free one of `name-2`, `name-3` and so on. */
export async function createToken(
  tokens: Tokens,
  wanted: string,
  role: 'admin' | 'agent',
  owner?: string,
): Promise<{ name: string; text: string }> {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}-${number}`;
    try {
      return { name, text: await tokens.create({ name, role, ...(owner !== undefined && { owner }) }) };
    } catch (error) {
      // The token of that name is in another file, or lost.
      if (!(error instanceof BeckonError) || error.code !== 'invalid_input' || number >= 1000) throw error;
    }
  }
}

function toOwnerName(): string {
  let user = 'user';
  try {
    user = userInfo().username;
  } catch {
    // A container may run as a user without a name.
  }
  return `${user}@${hostname()}`.replaceAll(/[^\w.:@+=~-]/g, '-').slice(0, 100);
}
