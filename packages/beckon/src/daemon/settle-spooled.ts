import type { FastifyBaseLogger } from 'fastify';
import type { ClaudeHooks } from '../adapters/claude-code/index.ts';
import type { OnTaken } from '../bridge/spool.ts';
import type { Caller } from '../core/access.ts';
import type { HookInput } from '../core/hooks.ts';
import { BeckonError } from '../protocol/errors.ts';
import { systemClock } from '../runtime/system-clock.ts';
import type { Tokens } from '../runtime/tokens.ts';
import { toHomeFile } from '../where/home.ts';
import { readTokenFile, toTokenPath } from './token-file.ts';

/** What it takes to end requests that were settled in the terminal while no daemon ran. */
export interface SettleSpooledOptions {
  claudeHooks: ClaudeHooks;
  tokens: Tokens;
  logger: FastifyBaseLogger;
  /** The folder of the tokens that the spooled hooks would have used. */
  home: string;
}

/**
 * Passes spooled hooks of Claude Code to `ClaudeHooks`, and ignores other hooks. Throws while the store is unavailable.
 */
export function createSettleSpooled({ claudeHooks, tokens, logger, home }: SettleSpooledOptions): OnTaken {
  return async (hooks) => {
    const owner = await findCaller(tokens, toTokenPath(home));
    const agent = await findCaller(tokens, toHomeFile(home, 'hookToken'));
    const callers = [agent, owner].filter((caller) => caller !== null);
    for (const { hook, at, id } of hooks.toSorted(byTime)) {
      const ageMs = systemClock.now() - toTime(at);
      try {
        for (const caller of callers) {
          await claudeHooks.observe(hook, {
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
