import type { FastifyBaseLogger } from 'fastify';
import type { ClaudeHooks } from '../adapters/claude-code/index.ts';
import type { OnTaken } from '../bridge/spool.ts';
import type { Caller } from '../core/access.ts';
import type { HookInput } from '../core/hooks.ts';
import { BeckonError } from '../protocol/errors.ts';
import { systemClock } from '../runtime/system-clock.ts';
import type { Tokens } from '../runtime/tokens.ts';
import { toHomeFile } from './home.ts';
import { readTokenFile, toTokenPath } from './token-file.ts';

/** What is needed to end what was settled in the terminal while no daemon ran. */
export interface SettleSpooledOptions {
  claudeHooks: ClaudeHooks;
  tokens: Tokens;
  logger: FastifyBaseLogger;
  /** The folder of the tokens with which the spooled hooks would have come in. */
  home: string;
}

/** Shows spooled hooks to the hooks of Claude Code. A hook that is none of those is left alone; a store that is away throws. */
export function createSettleSpooled({ claudeHooks, tokens, logger, home }: SettleSpooledOptions): OnTaken {
  return async (hooks) => {
    const owner = await findCaller(tokens, toTokenPath(home));
    const agent = await findCaller(tokens, toHomeFile(home, 'hookToken'));
    const callers = [agent, owner].filter((caller) => caller !== null);
    for (const { hook, at } of hooks.toSorted(byTime)) {
      const ageMs = systemClock.now() - toTime(at);
      try {
        for (const caller of callers) {
          await claudeHooks.observe(hook, { caller, ageMs, ...(owner !== null && { user: owner.name }) });
        }
      } catch (error) {
        // Only what passes by itself is worth a second try: other hooks wait behind this one.
        if (error instanceof BeckonError && error.status >= 500) throw error;
        logger.warn({ err: error }, 'a spooled hook that settles nothing; it was taken in all the same');
      }
    }
  };
}

async function findCaller(tokens: Tokens, path: string): Promise<Caller | null> {
  let token: string | undefined;
  try {
    token = readTokenFile(path);
  } catch {
    return null; // Nor could a hook command read it, so nothing was asked with it.
  }
  return token === undefined ? null : tokens.check(token);
}

// Hook commands may overtake each other.
function byTime(one: HookInput, other: HookInput): number {
  return toTime(one.at) - toTime(other.at);
}

function toTime(at: string | undefined): number {
  return at === undefined ? systemClock.now() : Date.parse(at);
}
