import { withStore } from '../../daemon/local-store.ts';
import { createToken, readTokenFile } from '../../daemon/token-file.ts';
import { makePrivateFolder, writePrivateFile } from '../../machine/private-file.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { systemClock } from '../../runtime/system-clock.ts';
import { Tokens } from '../../runtime/tokens.ts';
import { findBeckon } from '../../where/find-beckon.ts';
import { toHookTokenPath } from '../../where/home.ts';

/**
 * Gives Beckon's code in another agent its own token, if this machine's own Beckon is the one in use. Returns remarks
 * for people; a Beckon that cannot make one is no failure, because the person's token serves as well.
 */
export async function prepareAgentToken(home: string, agent: string): Promise<string[]> {
  if (!findBeckon().isOwn) return [];
  try {
    const done = await ensureHookToken(home, agent);
    return done === null ? [] : [done];
  } catch (error) {
    if (!(error instanceof BeckonError)) throw error;
    return [`${agent} uses your own token, because Beckon could not create one for it: ${error.message}`];
  }
}

/**
 * Makes sure that the hooks of an agent have their own token, which may only ask. Returns a remark for people if it
 * made one.
 */
export async function ensureHookToken(home: string, agent: string): Promise<string | null> {
  const path = toHookTokenPath(home, agent);
  makePrivateFolder(home);
  return withStore({}, async ({ tokens: stored }) => {
    const tokens = new Tokens({ tokens: stored, clock: systemClock });
    const found = readTokenFile(path);
    if (found !== undefined && (await tokens.check(found)) !== null) return null;
    const { name, text } = await createToken(tokens, agent, 'agent');
    writePrivateFile(path, `${text}\n`);
    return `Created the token "${name}" in ${path}: it may ask, and nothing else.`;
  });
}
