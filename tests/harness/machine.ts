import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MachineLogin } from '../../packages/beckon/src/protocol/machine-login.ts';
import type { CliBench, Ended, Run } from './cli.ts';

/** A login that a machine has started and that waits. */
export interface WaitingLogin extends Run {
  code: string;
  link: string;
}

/** A second machine, with a home of its own, beside the one that runs Beckon. */
export class TestMachine {
  readonly home: string;
  readonly #cli: CliBench;

  constructor(cli: CliBench, name = 'laptop') {
    this.#cli = cli;
    this.home = join(cli.folder, name);
  }

  run(...args: string[]): Promise<Ended> {
    return this.#cli.run(args, { env: { BECKON_HOME: this.home } });
  }

  /** Starts `beckon login`, and resolves once it shows its code. */
  async login(...args: string[]): Promise<WaitingLogin> {
    const run = this.#cli.start(['login', ...args], { env: { BECKON_HOME: this.home } });
    const [, link = ''] = await run.seen(/(?:open |"verifyUrl":")(http[^\s"]+)/);
    const [code = ''] = await run.seen(/[B-Z]{4}-[B-Z]{4}/);
    return { ...run, link, code };
  }

  /** What it keeps of its logins. */
  async readProfiles(): Promise<string> {
    return readFile(join(this.home, 'profiles.json'), 'utf8');
  }
}

/** Decides as somebody who has looked at it, over HTTP. */
export async function decide(
  { url, token }: { url: string; token: string },
  code: string,
  how: 'approve' | 'refuse',
): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const path = `${url}/v1/machine-logins/${code}`;
  const found = await fetch(path, { headers });
  if (!found.ok) return found;
  const { id, name } = (await found.json()) as MachineLogin;
  const body = JSON.stringify(how === 'approve' ? { id, name } : { id });
  return fetch(`${path}/${how}`, { method: 'POST', headers, body });
}
