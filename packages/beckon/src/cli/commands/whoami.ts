import type { Command } from 'commander';
import { connectAccount } from '../../client/connect-account.ts';
import { probe } from '../../daemon/health.ts';
import { toVisibleLine } from '../../presentation/visible.ts';
import type { Me } from '../../protocol/account.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { type FoundBeckon, findBeckon } from '../../where/find-beckon.ts';
import { LOCAL_PROFILE, readProfiles } from '../../where/profiles.ts';
import { addClientOptions, type ClientOptions, connect, RETRY_SECONDS, toWhereFlags } from '../client.ts';
import { createCommand } from '../command.ts';
import { print, printJson } from '../output.ts';

/** What each role allows, in words. */
const RIGHTS: Readonly<Record<Me['role'], string>> = {
  agent: 'ask and wait',
  person: 'see and answer',
  admin: 'do everything',
};

export function createWhoami(): Command {
  const command = createCommand('whoami', {
    summary: 'Show which Beckon this machine uses, and as whom.',
    examples: [
      ['beckon whoami', 'who, what it may do, where, and which profile'],
      ['beckon whoami --profile other --json', '{ "who", "role", "url", "profile", "owner" }'],
    ],
    more: 'Exit codes: 0 logged in, 1 the token is no longer valid, 6 Beckon cannot be reached.',
  });
  return addClientOptions(command).action(runWhoami);
}

async function runWhoami(options: ClientOptions): Promise<void> {
  const found = findBeckon({ flags: toWhereFlags(options) });
  // Nothing names a Beckon, and none runs here: whoever asks who they are may want to log in.
  if (found.by === 'default' && (await probe(found.url)).kind !== 'beckon') {
    throw new BeckonError(
      'unreachable',
      'This machine is not logged in to a Beckon, and runs none. Log in with: beckon login URL. Or run one here: beckon up',
    );
  }
  const { url, access } = await connect(found);
  const me = await connectAccount(url, { ...access, retryFor: RETRY_SECONDS }).me();
  if (me === null) throw toRefused(found);
  const { who, role, chatId, answerOnly } = me;
  const name = toProfileName(found);
  const owner = found.profile === undefined ? undefined : readProfiles(found.home).profiles[found.profile]?.owner;
  if (options.json === true) {
    return printJson({
      who,
      role,
      url,
      ...(name !== undefined && { profile: name }),
      ...(owner !== undefined && { owner }),
      ...(chatId !== undefined && { chatId }),
      ...(answerOnly === true && { answerOnly }),
    });
  }
  print(toVisibleLine(`${who} at ${url}`));
  const rights = answerOnly === true ? 'see and answer, but not change what runs' : RIGHTS[role];
  const where = chatId === undefined ? '' : `, in the chat ${toVisibleLine(chatId)} only`;
  print(`  may      ${rights}${where}`);
  if (owner !== undefined) print(`  owner    ${toVisibleLine(owner)}`);
  if (name !== undefined) print(`  profile  ${name}`);
}

/** A Beckon that was named by its address alone has no profile. */
function toProfileName({ profile, isOwn }: FoundBeckon): string | undefined {
  return profile ?? (isOwn ? LOCAL_PROFILE : undefined);
}

function toRefused({ url, profile, home, tokenFrom }: FoundBeckon): BeckonError {
  if (profile === undefined || tokenFrom === 'BECKON_TOKEN') {
    return new BeckonError('unauthorized', `The Beckon at ${url} does not know the token from ${tokenFrom}.`);
  }
  const { name } = readProfiles(home).profiles[profile] ?? { name: 'this machine' };
  return new BeckonError(
    'unauthorized',
    `The login of the profile "${profile}" at ${url} is no longer valid: ${name} was revoked there. ` +
      `Log in again with: beckon login ${url}`,
  );
}
