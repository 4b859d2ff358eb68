import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Caller } from '../core/access.ts';
import { type Clock, toIso } from '../core/clock.ts';
import type { TokenRecord, Tokens } from '../core/store.ts';
import { BeckonError } from '../protocol/errors.ts';

/** How long a token that was found is believed without asking the store again: a revoked one is refused after this. */
const CACHE_MS = 1000;

/**
 * Gives out tokens and checks them. A token is `bkn_`, a public id, `_`, and 256 random bits; of those only a hash is kept, so that
 * nobody who reads the database can come in.
 */
export class TokenBook {
  readonly #tokens: Tokens;
  readonly #clock: Clock;
  readonly #cache = new Map<string, { record: TokenRecord; until: number }>();

  constructor(options: { tokens: Tokens; clock: Clock }) {
    this.#tokens = options.tokens;
    this.#clock = options.clock;
  }

  /** Creates a token and returns its text, which cannot be had again. */
  async create(caller: Caller): Promise<string> {
    const id = randomBytes(8).toString('hex');
    const secret = randomBytes(32).toString('base64url');
    const record: TokenRecord = { ...caller, id, hash: toHash(secret), createdAt: toIso(this.#clock.now()) };
    if (!(await this.#tokens.add(record))) {
      throw new BeckonError(
        'invalid_input',
        `There is a token with the name ${JSON.stringify(caller.name)} already. Choose another name, or revoke it first.`,
      );
    }
    return `bkn_${id}_${secret}`;
  }

  /**
   * Who comes in with this token; `null` where it is not valid. Takes the same time for every wrong secret. A promise only where
   * the store has to be asked.
   */
  check(token: string): Caller | null | Promise<Caller | null> {
    const match = /^bkn_([0-9a-f]{16})_([\w-]{43})$/.exec(token);
    const [, id, secret] = match ?? [];
    if (id === undefined || secret === undefined) return null;
    const now = this.#clock.now();
    const cached = this.#cache.get(id);
    if (cached !== undefined && cached.until > now) return toCaller(cached.record, secret);
    this.#cache.delete(id);
    return this.#find(id, now).then((record) => (record === null ? null : toCaller(record, secret)));
  }

  async #find(id: string, now: number): Promise<TokenRecord | null> {
    const record = await this.#tokens.find(id);
    // Only tokens that exist are remembered, so guesses cannot fill the memory.
    if (record !== null) this.#cache.set(id, { record, until: now + CACHE_MS });
    return record;
  }
}

function toCaller({ name, role, chatId, hash: expected }: TokenRecord, secret: string): Caller | null {
  if (!timingSafeEqual(Buffer.from(expected), Buffer.from(toHash(secret)))) return null;
  return { name, role, ...(chatId !== undefined && { chatId }) };
}

function toHash(secret: string): string {
  return hash('sha256', secret);
}
