import type { Caller } from '../core/access.ts';
import { type Clock, toIso } from '../core/clock.ts';
import type { StoredTokens, TokenRecord } from '../core/stored-logins.ts';
import { BeckonError } from '../protocol/errors.ts';
import { Leavers } from './leavers.ts';
import { isSecretOf, newTokenId, newTokenSecret, toSecretHash, toTokenParts, toTokenText } from './token-text.ts';

/** How long a known token is trusted without asking the store: what another process revoked is rejected after it. */
const CACHE_MS = 1000;
/** `lastUsedAt` is written no more often than this. */
const USED_MS = 60_000;

/** A token that was found. */
interface Known {
  caller: Caller;
  hash: Buffer;
  usedAt: number;
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
  /** Thousands of waits may end together and ask for the same token: the store is asked once. */
  readonly #finding = new Map<string, Promise<Known | null>>();
  /** When this process last wrote `lastUsedAt` of each token. */
  readonly #used = new Map<string, number>();
  /** What this process revoked. A check that was under way must not bring it back. */
  readonly #revoked = new Set<string>();
  readonly #leavers = new Leavers();

  constructor(options: { tokens: StoredTokens; clock: Clock }) {
    this.#tokens = options.tokens;
    this.#clock = options.clock;
  }

  /** Creates a token and returns its text, which cannot be shown again. */
  async create(caller: Caller & Pick<TokenRecord, 'owner'>): Promise<string> {
    const parts = { id: newTokenId(), secret: newTokenSecret() };
    const record: TokenRecord = {
      ...caller,
      id: parts.id,
      hash: toSecretHash(parts.secret),
      createdAt: toIso(this.#clock.now()),
    };
    if (!(await this.#tokens.add(record))) {
      throw new BeckonError(
        'invalid_input',
        `A token named ${JSON.stringify(caller.name)} already exists. Choose another name, or revoke it first.`,
      );
    }
    return toTokenText(parts);
  }

  /**
   * The caller that this token identifies; `null`: it is not valid. Takes the same time for every wrong secret. Returns
   * a promise only if it must ask the store. Writes `lastUsedAt` at most once a minute, and does not wait for that.
   */
  check(token: string): Caller | null | Promise<Caller | null> {
    const parts = toTokenParts(token);
    if (parts === null) return null;
    const { id, secret } = parts;
    const now = this.#clock.now();
    const cached = this.#cache.get(id);
    if (cached !== undefined && cached.until > now) return this.#admit(id, cached, secret, now);
    this.#cache.delete(id);
    const finding = this.#finding.get(id) ?? this.#find(id, now).finally(() => this.#finding.delete(id));
    this.#finding.set(id, finding);
    return finding.then((known) => (known === null ? null : this.#admit(id, known, secret, now)));
  }

  /** Revokes a token, at once for this process. `false`: there is none. */
  async revoke(id: string): Promise<boolean> {
    const isRemoved = await this.#tokens.removeById(id, toIso(this.#clock.now()));
    this.forget(id);
    return isRemoved;
  }

  /** A token was removed from the store: it is rejected from now on, and what is held open for it ends. */
  forget(id: string): void {
    this.#revoked.add(id);
    this.#cache.delete(id);
    this.#used.delete(id);
    this.#leavers.tell(id);
  }

  /** Calls `leave` when this process revokes the token, unless the returned function was called before. */
  onRevoke(id: string, leave: () => void): () => void {
    return this.#leavers.on(id, leave);
  }

  #admit(id: string, { caller, hash, usedAt }: Known, secret: string, now: number): Caller | null {
    if (!isSecretOf(secret, hash) || this.#revoked.has(id)) return null;
    if (now - Math.max(usedAt, this.#used.get(id) ?? 0) >= USED_MS) this.#noteUse(id, now);
    return caller;
  }

  #noteUse(id: string, now: number): void {
    // Set before the write, so concurrent requests write once.
    this.#used.set(id, now);
    // A failed write must not keep anybody out; the next minute tries again.
    this.#tokens.touch({ id, at: toIso(now) }).catch(() => undefined);
  }

  async #find(id: string, now: number): Promise<Known | null> {
    const record = await this.#tokens.find(id);
    if (record === null) return null;
    const { name, role, chatId, answerOnly, hash, lastUsedAt } = record;
    const caller: Caller = {
      id,
      name,
      role,
      ...(chatId !== undefined && { chatId }),
      ...(answerOnly === true && { answerOnly }),
    };
    const usedAt = lastUsedAt === undefined ? Number.NEGATIVE_INFINITY : Date.parse(lastUsedAt);
    const known = { caller, hash: Buffer.from(hash, 'hex'), usedAt, until: now + CACHE_MS };
    // Only tokens that exist are remembered, so guesses cannot fill the memory.
    this.#cache.set(id, known);
    return known;
  }
}
