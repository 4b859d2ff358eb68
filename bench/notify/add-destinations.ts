import { LIMITS } from '../../packages/beckon/src/protocol/limits.ts';
import type { BeckonProcess } from '../beckon-process.ts';
import type { Kind, Receiver } from './receiver.ts';

/** A destination that a person gets: it is told of what is asked in these chats. */
export interface Wanted {
  kind: Kind;
  name: string;
  chats: readonly string[];
}

const AT_ONCE = 32;

/** Adds destinations as people do: each is added, sent a code, and proven with it. One person has as many as may be. */
export async function addDestinations(
  { url, createTokens }: BeckonProcess,
  receiver: Receiver,
  wanted: readonly Wanted[],
): Promise<void> {
  const names = wanted.flatMap((_, index) => (index % LIMITS.destinations === 0 ? [`person-${index}`] : []));
  const tokens = await createTokens(names.map((name) => ({ name, role: 'person' })));
  await forEach(wanted, AT_ONCE, async ({ kind, name, chats }, index) => {
    const post = createPost(url, tokens[Math.floor(index / LIMITS.destinations)] ?? '');
    const draft = { ...receiver.draft(kind, name), filter: { chats } };
    const { destination } = await post<{ destination: { id: string } }>('/v1/destinations', draft);
    const arriving = receiver.next(name);
    await post(`/v1/destinations/${destination.id}/test`, {});
    const code = receiver.readCode(kind, name, (await arriving).body);
    await post(`/v1/destinations/${destination.id}/prove`, { code });
  });
}

/** Does the work for each item, so many at a time. */
export async function forEach<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, index: number) => Promise<unknown>,
): Promise<void> {
  const left = items.entries();
  const goOn = async (): Promise<void> => {
    for (const [index, item] of left) await work(item, index);
  };
  await Promise.all(Array.from({ length: atOnce }, goOn));
}

function createPost(url: string, token: string) {
  return async <Reply>(path: string, body: object): Promise<Reply> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const reply = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(`${path}: ${await reply.text()}`);
    return (await reply.json()) as Reply;
  };
}
