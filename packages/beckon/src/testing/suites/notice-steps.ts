import { expect } from 'vitest';
import type { ClaimedNotices, EntryWhat, NoticeSettlement, PlannedEntry } from '../../core/notice-outbox.ts';
import type { DestinationRecord } from '../../core/notify.ts';
import type { Store } from '../../core/store.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { ADA, after, createDestination, createQuestion } from './samples.ts';

export const LEASE_MS = 600_000;
/** The time of the process's clock at which everything happens. */
export const NOW = 1_000_000;

export async function setUp<Count extends number = 1>(
  store: Store,
  count: Count = 1 as Count,
  changes: Partial<DestinationRecord> = {},
): Promise<[DestinationRecord, DestinationRecord, ...DestinationRecord[]]> {
  await letIn(store, 'ada');
  const records: DestinationRecord[] = [];
  for (let index = 0; index < count; index += 1) {
    records.push(await store.destinations.add(createDestination({ ...changes, id: `dst_${index}` })));
  }
  return records as [DestinationRecord, DestinationRecord];
}

export async function ask(store: Store): Promise<Interaction> {
  return (await store.ask(createQuestion())).interaction;
}

export async function askMany(store: Store, count: number): Promise<Interaction[]> {
  const asked: Interaction[] = [];
  for (let index = 0; index < count; index += 1) asked.push(await ask(store));
  return asked;
}

export function toEntry(
  seq: number,
  destination: string,
  { id }: Interaction,
  what: EntryWhat = 'asked',
): PlannedEntry {
  return { seq, destination, lane: id, what, dueAt: NOW };
}

export async function plan(store: Store, entries: PlannedEntry[], upTo?: number, at = NOW): Promise<void> {
  const from = (await store.notices.view())?.plannedTo ?? 0;
  const end = upTo ?? (await store.lastSeq());
  expect(await store.notices.plan({ from, upTo: end, at, entries, settled: [] })).toBe(true);
}

/** Answers a request, and plans that its copies are closed. */
export async function end(store: Store, { id }: Interaction): Promise<void> {
  await store.recordAnswer({ id, answer: { text: 'yes' }, by: ADA, at: after(1) });
  const seq = await store.lastSeq();
  const from = (await store.notices.view())?.plannedTo ?? 0;
  const settled = [{ seq, interactionId: id }];
  expect(await store.notices.plan({ from, upTo: seq, at: NOW, entries: [], settled })).toBe(true);
}

export function toClaim(changes: Partial<Parameters<Store['notices']['claim']>[0]> = {}) {
  const each = { person: 2, webhook: 2 };
  return { at: NOW, lanes: 99, failing: 99, each, entries: 64, leaseMs: LEASE_MS, claim: 'me', ...changes };
}

export async function claim(store: Store, changes: Parameters<typeof toClaim>[0] = {}): Promise<ClaimedNotices[]> {
  return store.notices.claim(toClaim(changes));
}

export function settle(
  store: Store,
  lane: ClaimedNotices,
  settlement: Partial<NoticeSettlement> & Pick<NoticeSettlement, 'dueAt'>,
): Promise<boolean> {
  return store.notices.settle({ lane, at: NOW, done: [], ...settlement });
}

/** That everything in the lane was sent as one notice. */
export function toSent({ entries, lane }: ClaimedNotices, what: EntryWhat) {
  const seq = entries.at(-1)?.seq ?? 0;
  return {
    done: entries.map((entry) => entry.seq),
    sent: [{ seq, what, ...(what !== 'settled' && { lane }) }],
    dueAt: NOW,
    health: { isWell: true },
  } as const;
}

export function toDelivered({ id, chatId, kind }: Interaction, destination: string) {
  const head = { interactionId: id, chatId, kind, at: after(1) };
  return { ...head, type: 'interaction.delivered', connector: 'ntfy', destination } as const;
}

export function factsOf(store: Store, lane: ClaimedNotices, at = NOW) {
  return store.notices.facts({ lane, at, since: at - 60_000 });
}

/** Gives people a token each. */
export async function letIn(store: Store, ...names: string[]): Promise<void> {
  for (const name of names) await store.tokens.add(toToken(name, 'person'));
}

export function toToken(name: string, role: 'person' | 'agent') {
  return { id: `token of ${name} ${role}`, name, role, hash: 'a'.repeat(64), createdAt: after(0) };
}

export async function logIn(store: Store, name: string, id: string): Promise<void> {
  await store.devices.addCode({ hash: id, name, role: 'person', expiresAt: after(60_000) }, after(0));
  await store.devices.logIn({ codeHash: id, id, hash: id, label: 'Firefox', at: after(1) });
}
