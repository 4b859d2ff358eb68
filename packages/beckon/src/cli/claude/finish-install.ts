import { loadConfig } from '../../daemon/config.ts';
import { findDaemon, toStatePath } from '../../daemon/daemon-state.ts';
import type { Me } from '../../protocol/account.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { FoundBeckon } from '../../where/find-beckon.ts';
import { ensureHookToken } from './hook-token.ts';

/** Whose hooks were installed. */
interface HookClient {
  name: string;
  title: string;
}

const CLAUDE_CODE: HookClient = { name: 'claude-code', title: 'Claude Code' };

/** What to tell whoever installed the hooks. */
export interface InstallRemarks {
  done: string[];
  /** What may surprise them. */
  warnings: string[];
}

/** What hooks need besides the settings. `caller` is who they come in as, if Beckon is elsewhere and was reached. */
export function finishInstall(
  found: FoundBeckon,
  caller: Me | null,
  client: HookClient = CLAUDE_CODE,
): Promise<InstallRemarks> | InstallRemarks {
  return found.isOwn ? prepareToken(client) : sayWhere(found, caller, client);
}

async function prepareToken({ name, title }: HookClient): Promise<InstallRemarks> {
  const { home } = loadConfig();
  const done: string[] = [];
  const warnings: string[] = [];
  try {
    const made = await ensureHookToken(home.value, name);
    if (made !== null) done.push(made);
  } catch (error) {
    if (!(error instanceof BeckonError)) throw error;
    warnings.push(`The hooks use your own token, because Beckon could not create one for them: ${error.message}`);
  }
  const found = await findDaemon(toStatePath(home.value));
  if (found?.liveness !== 'alive') done.push('Beckon is not running yet. Start it with: beckon up');
  done.push(`New sessions of ${title} will ask here too. Check with: ${toCheck(name)}`);
  return { done, warnings };
}

/** Hooks for a Beckon elsewhere need no Beckon on this machine. */
function sayWhere(
  { url, from, tokenFrom }: FoundBeckon,
  caller: Me | null,
  { name, title }: HookClient,
): InstallRemarks {
  const warnings: string[] = [];
  if (caller === null) {
    warnings.push(`Beckon at ${url} cannot be reached now. Until it can, ${title} goes on without it.`);
  }
  if (tokenFrom === 'BECKON_TOKEN') {
    warnings.push(`${title} must have the same BECKON_TOKEN. To keep a token instead, run: beckon login ${url}`);
  }
  if (from === 'BECKON_HOST' || from === 'BECKON_PORT') {
    warnings.push(
      `${title} must have the same ${from}, or its hooks go elsewhere. To keep the address, run: beckon login ${url}`,
    );
  }
  return {
    done: [
      `Hooks go to ${url} (${from})${caller === null ? '' : `, as ${caller.who}`}.`,
      `New sessions of ${title} will ask there too. Check with: ${toCheck(name)}`,
    ],
    warnings,
  };
}

function toCheck(name: string): string {
  return name === CLAUDE_CODE.name ? 'beckon claude status' : 'beckon agents';
}
