import { hash, randomBytes } from 'node:crypto';
import type { MachineLoginBody } from '../../protocol/machine-login.ts';

/** What a machine sends to come in, with the secret that stays with it. */
export function makeMachineLogin(changes: Partial<MachineLoginBody> = {}): { secret: string; body: MachineLoginBody } {
  const secret = randomBytes(32).toString('base64url');
  const body = { hash: hash('sha256', secret), machine: 'laptop', user: 'ada', agents: ['Claude Code'], ...changes };
  return { secret, body };
}
