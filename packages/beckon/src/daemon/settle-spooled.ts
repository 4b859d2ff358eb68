import type { FastifyBaseLogger } from 'fastify';
import type { HookEngine } from '../adapters/hooks/index.ts';
import type { OnTaken } from '../bridge/spool.ts';
import type { Caller } from '../core/access.ts';
import type { HookInput } from '../core/hooks.ts';
import { BeckonError } from '../protocol/errors.ts';
import { systemClock } from '../runtime/system-clock.ts';
import type { Tokens } from '../runtime/tokens.ts';
import { toHookTokenPath } from '../where/home.ts';
import { readTokenFile, toTokenPath } from './token-file.ts';

/** What it takes to end requests that were settled in the terminal while no daemon ran. */
export interface SettleSpooledOptions {
  engines: readonly HookEngine[];
  tokens: Tokens;
  logger: FastifyBaseLogger;
  /** The folder of the tokens that the spooled hooks would have used. */
  home: string;
}

/**
 * Passes spooled hooks to the engine of their agent, and ignores other hooks. Throws while the store is unavailable.
 */
export function createSettleSpooled({ engines, tokens, logger, home }: SettleSpooledOptions): OnTaken {
  return async (hooks) => {
    const owner = await findCaller(tokens, toTokenPath(home));
    for (const { agent = 'claude-code', hook, at, id } of hooks.toSorted(byTime)) {
      const engine = engines.find((one) => one.agent === agent);
      if (engine === undefined) continue;
      const own = await findCaller(tokens, toHookTokenPath(home, agent));
      const callers = [own, owner].filter((caller) => caller !== null);
      const ageMs = systemClock.now() - toTime(at);
      try {
        for (const caller of callers) {
          await engine.observe(hook, {
            caller,
            ageMs,
            ...(id !== undefined && { key: id }),
            ...(at !== undefined && { happenedAt: toTime(at) }),
            ...(owner !== null && { user: owner.name }),
          });
        }
      } catch (error) {
        // Only a failure that passes is worth another try: other hooks wait behind this one.
        if (error instanceof BeckonError && error.status >= 500) throw error;
        logger.warn({ err: error }, 'a spooled hook could not settle anything; it was taken in anyway');
      }
    }
  };
}

async function findCaller(tokens: Tokens, path: string): Promise<Caller | null> {
  let token: string | undefined;
  try {
    token = readTokenFile(path);
  } catch {
    return null; // Hook commands could not read it either, so none used it.
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
