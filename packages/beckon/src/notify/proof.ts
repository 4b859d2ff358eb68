import { hash, randomInt, timingSafeEqual } from 'node:crypto';
import { toIso } from '../core/clock.ts';
import type { DestinationRecord } from '../core/notify.ts';

/** How long a code works. */
const CODE_MS = 15 * 60_000;
/** Wrong codes until a new one must be sent. */
const MOST_TRIES = 5;
/** Codes and tests that a destination gets within `TESTS_MS`: it may belong to somebody who wants none. */
const MOST_TESTS = 5;
const TESTS_MS = 10 * 60_000;

/** A code that shows that a destination leads to its owner. Eight digits, because people type it. */
export function newCode(): string {
  return String(randomInt(100_000_000)).padStart(8, '0');
}

/** Notes that a code, or a test without one, is sent now; `null`: too many were. */
export function withTest(record: DestinationRecord, now: number, code: string | undefined): DestinationRecord | null {
  const recent = (record.tests ?? []).filter((at) => Date.parse(at) > now - TESTS_MS && Date.parse(at) <= now);
  if (recent.length >= MOST_TESTS) return null;
  const tested = { ...record, tests: [...recent, toIso(now)] };
  if (code === undefined) return tested;
  return { ...tested, proof: { hash: toHash(record.id, code), expiresAt: toIso(now + CODE_MS), tries: 0 } };
}

/** A destination after somebody gave a code. `wrong` counts it; without a code that counts it is `old`. */
export function withCode(
  record: DestinationRecord,
  code: string,
  now: number,
): { record: DestinationRecord; result: 'proven' | 'wrong' | 'old' } {
  const { proof } = record;
  if (proof === undefined || Date.parse(proof.expiresAt) <= now || proof.tries >= MOST_TRIES) {
    return { record, result: 'old' };
  }
  const given = toHash(record.id, code.replaceAll(/[\s-]/g, ''));
  if (!timingSafeEqual(Buffer.from(given), Buffer.from(proof.hash))) {
    return { record: { ...record, proof: { ...proof, tries: proof.tries + 1 } }, result: 'wrong' };
  }
  return { record: withProof(record, now), result: 'proven' };
}

/** A destination that is known to lead to its owner. */
export function withProof(before: DestinationRecord, now: number): DestinationRecord {
  const { proof: _, ...record } = withoutProblem(before);
  return { ...record, provenAt: toIso(now) };
}

/** A destination of which nothing bad is known, and that is not paused. */
export function withoutProblem(before: DestinationRecord): DestinationRecord {
  const { pausedAt: _, problem: __, ...record } = before;
  return record;
}

function toHash(id: string, code: string): string {
  return hash('sha256', `${id} ${code}`);
}
