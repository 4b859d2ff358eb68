import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Caller, DeviceCaller } from '../core/access.ts';
import type { AnswerCodeInput, Logins } from '../core/account.ts';
import { type Clock, toIso } from '../core/clock.ts';
import type { DeviceRecord, StoredDevices } from '../core/stored-logins.ts';
import { DEVICE_SECONDS } from '../protocol/account.ts';
import { Leavers } from './leavers.ts';

/** How long a known device is trusted without asking the store: a revoked one is rejected after this. */
const CACHE_MS = 1000;
/** How long a login link works. */
const LINK_MS = 10 * 60_000;
/** How long a link for answering a request works at most. */
const ANSWER_LINK_MS = 24 * 3_600_000;
/** A code that one more browser of somebody comes in with: random letters, and the id of the device that made it. */
const OWN_CODE = /^[\w-]{32}([0-9a-f]{16})$/;
/** `lastSeenAt` is written no more often than this. */
const SEEN_MS = 60_000;

/**
 * Logs browsers in with one-time codes and recognizes them by their cookie. A cookie is `bkd_`, a public id, `_`, and
 * 256 random bits. Only a hash of the bits, and of codes, is kept.
 */
export class Devices implements Logins {
  readonly #devices: StoredDevices;
  readonly #clock: Clock;
  readonly #cache = new Map<string, { record: DeviceRecord; until: number }>();
  /** When this process last wrote `lastSeenAt` of each device. */
  readonly #seen = new Map<string, number>();
  readonly #leavers = new Leavers();

  constructor(options: { devices: StoredDevices; clock: Clock }) {
    this.#devices = options.devices;
    this.#clock = options.clock;
  }

  createCode(caller: Caller): Promise<{ code: string; expiresAt: string }> {
    return this.#keepCode(newCode(), caller);
  }

  // The code names the device that made it. Its hash covers the name, so nobody can leave it out or exchange it.
  createOwnCode(caller: DeviceCaller): Promise<{ code: string; expiresAt: string }> {
    return this.#keepCode(`${newCode()}${caller.device}`, caller);
  }

  async createAnswerCode({ name, chatId, interaction }: AnswerCodeInput): Promise<string | null> {
    const code = newCode();
    const now = this.#clock.now();
    const latest = toIso(now + ANSWER_LINK_MS);
    const { id: interactionId, expiresAt: deadline = latest } = interaction;
    const expiresAt = deadline < latest ? deadline : latest;
    const record = { hash: toHash(code), name, chatId, interactionId, expiresAt };
    return (await this.#devices.addAnswerCode(record, toIso(now))) ? code : null;
  }

  async logIn(code: string, label: string): Promise<{ cookie: string; caller: DeviceCaller } | null> {
    const [, maker] = OWN_CODE.exec(code) ?? [];
    if (maker !== undefined && (await this.#devices.find(maker)) === null) return null;
    const id = randomBytes(8).toString('hex');
    const secret = randomBytes(32).toString('base64url');
    const at = toIso(this.#clock.now());
    const record = await this.#devices.logIn({ codeHash: toHash(code), id, hash: toHash(secret), label, at });
    return record === null ? null : { cookie: `bkd_${id}_${secret}`, caller: toDeviceCaller(record) };
  }

  /** Takes the same time for every wrong secret. Writes `lastSeenAt` at most once a minute. */
  async check(cookie: string): Promise<DeviceCaller | null> {
    const [, id, secret] = /^bkd_([0-9a-f]{16})_([\w-]{43})$/.exec(cookie) ?? [];
    if (id === undefined || secret === undefined) return null;
    const record = await this.#find(id);
    if (record === null || !timingSafeEqual(Buffer.from(record.hash), Buffer.from(toHash(secret)))) return null;
    const now = this.#clock.now();
    const seenAt = Math.max(Date.parse(record.lastSeenAt), this.#seen.get(id) ?? 0);
    if (now - seenAt > DEVICE_SECONDS * 1000) return null;
    if (now - seenAt >= SEEN_MS) await this.#see(id, now);
    return toDeviceCaller(record);
  }

  list(): Promise<DeviceRecord[]> {
    return this.#devices.list();
  }

  async revoke(id: string): Promise<boolean> {
    this.#cache.delete(id);
    const isRemoved = await this.#devices.remove(id, toIso(this.#clock.now()));
    this.#cache.delete(id);
    this.#seen.delete(id);
    this.#leavers.tell(id);
    return isRemoved;
  }

  onRevoke(id: string, leave: () => void): () => void {
    return this.#leavers.on(id, leave);
  }

  async #keepCode(code: string, caller: Caller): Promise<{ code: string; expiresAt: string }> {
    const now = this.#clock.now();
    const expiresAt = toIso(now + LINK_MS);
    await this.#devices.addCode({ ...toCaller(caller), hash: toHash(code), expiresAt }, toIso(now));
    return { code, expiresAt };
  }

  async #find(id: string): Promise<DeviceRecord | null> {
    const now = this.#clock.now();
    const cached = this.#cache.get(id);
    if (cached !== undefined && cached.until > now) return cached.record;
    this.#cache.delete(id);
    const record = await this.#devices.find(id);
    // Only devices that exist are remembered, so guesses cannot fill the memory.
    if (record !== null) this.#cache.set(id, { record, until: now + CACHE_MS });
    return record;
  }

  async #see(id: string, now: number): Promise<void> {
    // Set before the write, so concurrent requests write once.
    this.#seen.set(id, now);
    try {
      await this.#devices.touch({ id, at: toIso(now) });
    } catch {
      // A failed write must not keep anybody out; the next minute tries again.
    }
  }
}

function newCode(): string {
  return randomBytes(24).toString('base64url');
}

function toCaller({ name, role, chatId, answerOnly }: Caller): Caller {
  return {
    name,
    role,
    ...(chatId !== undefined && { chatId }),
    ...(answerOnly === true && { answerOnly }),
  };
}

function toDeviceCaller(record: DeviceRecord): DeviceCaller {
  return { ...toCaller(record), id: record.id, device: record.id };
}

function toHash(secret: string): string {
  return hash('sha256', secret);
}
