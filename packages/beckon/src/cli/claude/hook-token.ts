import { withStore } from '../../daemon/local-store.ts';
import { createToken, readTokenFile } from '../../daemon/token-file.ts';
import { makePrivateFolder, writePrivateFile } from '../../machine/private-file.ts';
import { systemClock } from '../../runtime/system-clock.ts';
import { Tokens } from '../../runtime/tokens.ts';
import { toHookTokenPath } from '../../where/home.ts';

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
