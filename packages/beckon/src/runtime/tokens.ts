import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Caller } from '../core/access.ts';
import { type Clock, toIso } from '../core/clock.ts';
import type { StoredTokens, TokenRecord } from '../core/store.ts';
import { BeckonError } from '../protocol/errors.ts';

/** How long a known token is trusted without asking the store: a revoked one is rejected after this. */
const CACHE_MS = 1000;

/** A token that was found. */
interface Known {
  caller: Caller;
  hash: Buffer;
  until: number;
}

/**
 * Creates and checks tokens. A token is `bkn_`, a public id, `_`, and 256 random bits. Only a hash of the bits is kept,
 * so reading the database lets nobody in.
 */
export class Tokens {
  readonly #tokens: StoredTokens;
  readonly #clock: Clock;
  readonly #cache = new Map<string, Known>();

  constructor(options: { tokens: StoredTokens; clock: Clock }) {
    this.#tokens = options.tokens;
    this.#clock = options.clock;
  }

  /** Creates a token and returns its text, which cannot be shown again. */
  async create(caller: Caller & Pick<TokenRecord, 'owner'>): Promise<string> {
    const id = randomBytes(8).toString('hex');
    const secret = randomBytes(32).toString('base64url');
    const record: TokenRecord = {
      ...caller,
      id,
      hash: toHash(secret).toString('hex'),
      createdAt: toIso(this.#clock.now()),
    };
    if (!(await this.#tokens.add(record))) {
      throw new BeckonError(
        'invalid_input',
        `A token named ${JSON.stringify(caller.name)} already exists. Choose another name, or revoke it first.`,
      );
    }
    return `bkn_${id}_${secret}`;
  }

  /**
   * The caller that this token identifies; `null`: it is not valid. Takes the same time for every wrong secret. Returns
   * a promise only if it must ask the store.
   */
  check(token: string): Caller | null | Promise<Caller | null> {
    const match = /^bkn_([0-9a-f]{16})_([\w-]{43})$/.exec(token);
    const [, id, secret] = match ?? [];
    if (id === undefined || secret === undefined) return null;
    const now = this.#clock.now();
    const cached = this.#cache.get(id);
    if (cached !== undefined && cached.until > now) return toCaller(cached, secret);
    this.#cache.delete(id);
    return this.#find(id, now).then((known) => (known === null ? null : toCaller(known, secret)));
  }

  async #find(id: string, now: number): Promise<Known | null> {
    const record = await this.#tokens.find(id);
    if (record === null) return null;
    const { name, role, chatId, answerOnly } = record;
    const caller: Caller = {
      id,
      name,
      role,
      ...(chatId !== undefined && { chatId }),
      ...(answerOnly === true && { answerOnly }),
    };
    const known = { caller, hash: Buffer.from(record.hash, 'hex'), until: now + CACHE_MS };
    // Only tokens that exist are remembered, so guesses cannot fill the memory.
    this.#cache.set(id, known);
    return known;
  }
}

function toCaller({ caller, hash: expected }: Known, secret: string): Caller | null {
  return timingSafeEqual(expected, toHash(secret)) ? caller : null;
}

function toHash(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
