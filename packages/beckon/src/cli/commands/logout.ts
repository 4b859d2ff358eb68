import type { Command } from 'commander';
import { connectMachineEntry } from '../../client/connect-machines.ts';
import { toVisible } from '../../presentation/visible.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { toHome } from '../../where/home.ts';
import { removeProfile } from '../../where/profiles.ts';
import { RETRY_SECONDS } from '../client.ts';
import { createCommand } from '../command.ts';
import { toErrorExitCode } from '../exit-codes.ts';
import { chooseProfile } from '../login/choose-profile.ts';
import { note, print, printJson } from '../output.ts';

export function createLogout(): Command {
  return createCommand('logout', {
    summary: 'Revoke the login of this machine, and forget it.',
    examples: [
      ['beckon logout', 'log out of the current profile'],
      ['beckon logout --profile other', 'log out of another one'],
    ],
    more: 'Exit codes: 0 revoked and forgotten; 6 forgotten, but Beckon cannot be reached to revoke it.',
  })
    .option('--profile <name>', 'which login (default: the current one)')
    .option('--json', 'print JSON')
    .action(runLogout);
}

async function runLogout(options: { profile?: string; json?: boolean }): Promise<void> {
  const home = toHome(process.env);
  const { name, profile } = chooseProfile(home, options.profile);
  const { url, token } = profile;
  const failure = await revoke(url, token);
  removeProfile(home, name);
  if (failure !== null) process.exitCode = toErrorExitCode(failure);
  if (options.json === true) {
    return printJson({ profile: name, url, revoked: failure === null, ...(failure && { reason: failure.message }) });
  }
  if (failure === null)
    return print(toVisible(`Logged out of ${url} (profile "${name}"). ${profile.name} can no longer ask there.`));
  note(`Forgot the profile "${name}", but its token was not revoked: ${failure.message}`);
  note(`Whoever has a copy of it can still ask. Revoke ${profile.name} at ${url}/machines`);
}

/** `null`: the token is no longer valid. */
async function revoke(url: string, token: string): Promise<BeckonError | null> {
  try {
    await connectMachineEntry(url, { token, retryFor: RETRY_SECONDS }).leave();
    return null;
  } catch (error) {
    if (error instanceof BeckonError) return error;
    throw error;
  }
}
