import type { AnswerResult, Beckon } from '../core/beckon.ts';
import { BeckonError } from '../protocol/errors.ts';
import { Id } from '../protocol/ids.ts';
import type { Interaction } from '../protocol/interaction.ts';
import type { JsonObject } from '../protocol/json.ts';
import { type Address, toPlace } from './addresses.ts';
import type { Entry } from './requests.ts';

/** Where a callback on a Beckon in this process takes its clicks. */
export interface KeptAt {
  address: Address;
  /** The port that was asked for. */
  port: number;
}

/**
 * The Beckons whose callbacks are served at a place of this process. They are not held: one that was closed and that nobody else
 * remembers leaves nothing here.
 */
const beckonsByPlace = new Map<string, readonly WeakRef<Beckon>[]>();

/**
 * Lets the server of a place take clicks for every callback that this Beckon has on disk for it, also where its agent is not back
 * yet or is at another round. It is forgotten when the Beckon is closed.
 */
export function keepCallbacks(beckon: Beckon, { address, port }: KeptAt): void {
  const place = toPlace(address, port);
  const refs = (beckonsByPlace.get(place) ?? []).filter((ref) => ref.deref() !== undefined);
  if (!refs.some((ref) => ref.deref() === beckon)) refs.push(new WeakRef(beckon));
  beckonsByPlace.set(place, refs);
}

/** Finds a callback on the Beckons of a place. Rejects where one of them cannot tell, and no other knows it. */
export async function findKept(id: string, at: KeptAt): Promise<Entry | undefined> {
  const refs = beckonsByPlace.get(toPlace(at.address, at.port)) ?? [];
  if (refs.length === 0 || !Id.safeParse(id).success) return undefined;
  const failures: unknown[] = [];
  for (const ref of refs) {
    const entry = await findOn(ref.deref(), id, at).catch((error: unknown) => void failures.push(error));
    if (entry !== undefined) return entry;
  }
  if (failures.length > 0) throw failures[0];
  return undefined;
}

/** What an ask has in its `metadata` so that it is found. Beyond loopback nothing: there the id alone is no permission. */
export function toKeptMetadata({ address, port }: KeptAt, origins: readonly string[]): { metadata?: JsonObject } {
  return address.isLoopback ? { metadata: { callback: { port, origins: [...origins] } } } : {};
}

/** A callback whose events the store decides on. */
export function toKeptEntry(beckon: Beckon, id: string, origins: readonly string[]): Entry {
  return {
    origins,
    isKept: true,
    take: async (event) => toVerdict(await beckon.answer(id, event, { who: 'somebody', via: 'callback' })),
  };
}

async function findOn(beckon: Beckon | undefined, id: string, at: KeptAt): Promise<Entry | undefined> {
  if (beckon === undefined) return undefined;
  try {
    const interaction = await beckon.get(id);
    const origins = interaction === null ? undefined : readOrigins(interaction, at.port);
    return origins && toKeptEntry(beckon, id, origins);
  } catch (error) {
    if (!(error instanceof BeckonError) || error.code !== 'closed') throw error;
    forget(beckon, toPlace(at.address, at.port));
    return undefined;
  }
}

function forget(beckon: Beckon, place: string): void {
  const refs = (beckonsByPlace.get(place) ?? []).filter((ref) => ref.deref() !== beckon);
  if (refs.length === 0) beckonsByPlace.delete(place);
  else beckonsByPlace.set(place, refs);
}

// Whoever asks may write anything into `metadata`.
function readOrigins({ kind, metadata }: Interaction, port: number): string[] | undefined {
  const kept = metadata?.['callback'];
  if (kind !== 'component' || typeof kept !== 'object' || kept === null || Array.isArray(kept)) return undefined;
  const { port: keptPort, origins } = kept;
  if (keptPort !== port || !Array.isArray(origins)) return undefined;
  return origins.filter((origin) => typeof origin === 'string');
}

function toVerdict({ result, interaction }: AnswerResult): void {
  if (result === 'accepted' || result === 'repeated') return;
  if (result === 'lost') {
    throw new BeckonError('answer_lost', 'This callback has its event already; the first one counts.');
  }
  if (result === 'late') throw new BeckonError('answer_late', `It was ${interaction?.status} before.`);
  throw new BeckonError('interaction_not_found', 'Beckon does not know this callback.');
}
