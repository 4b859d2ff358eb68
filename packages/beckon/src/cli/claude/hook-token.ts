import { toHomeFile } from '../../daemon/home.ts';
import { withStore } from '../../daemon/local-store.ts';
import { readTokenFile } from '../../daemon/token-file.ts';
import { makePrivateFolder, writePrivateFile } from '../../machine/private-file.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { systemClock } from '../../runtime/system-clock.ts';
import { Tokens } from '../../runtime/tokens.ts';

const NAME = 'claude-code';

/** Sees to it that hooks have a token of their own, which may ask and nothing else. Returns what was done, for people to read. */
export async function ensureHookToken(home: string): Promise<string | null> {
  const path = toHomeFile(home, 'hookToken');
  makePrivateFolder(home);
  return withStore({}, async ({ tokens: stored }) => {
    const tokens = new Tokens({ tokens: stored, clock: systemClock });
    const found = readTokenFile(path);
    if (found !== undefined && (await tokens.check(found)) !== null) return null;
    const taken = new Set((await stored.list()).map(({ name }) => name));
    const name = [NAME, ...Array.from({ length: 999 }, (_, index) => `${NAME}-${index + 2}`)].find(
      (candidate) => !taken.has(candidate),
    );
    if (name === undefined) throw new BeckonError('invalid_input', `Too many tokens are called ${NAME}. Revoke some.`);
    writePrivateFile(path, `${await tokens.create({ name, role: 'agent' })}\n`);
    return `Created the token "${name}" in ${path}: it may ask, and nothing else.`;
  });
}
