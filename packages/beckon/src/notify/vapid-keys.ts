import { generateKeyPairSync } from 'node:crypto';
import { parse } from '../protocol/parse.ts';
import { VapidJwk } from '../protocol/push.ts';

/** With what Beckon identifies itself to push services. */
export interface VapidKeys {
  /** The page subscribes with it, so a subscription takes messages of this Beckon alone. */
  publicKey: string;
  privateKey: VapidJwk;
}

/** What it needs of the store's secrets. */
export interface KeptSecrets {
  find(name: string): Promise<string | null>;
  /** Keeps a secret unless there is one, and returns the one that counts. */
  keep(input: { name: string; value: string; at: string }): Promise<string>;
}

/** If the keys changed, no browser that has subscribed would take a message any more. */
const NAME = 'vapid';

/** Reads the keys from the store. The first call on a store makes them; processes that start together agree. */
export async function openVapidKeys(secrets: KeptSecrets, at: string): Promise<VapidKeys> {
  const kept = (await secrets.find(NAME)) ?? (await secrets.keep({ name: NAME, value: makeKey(), at }));
  const privateKey = parse(VapidJwk, JSON.parse(kept), { what: 'VAPID key' });
  const point = [privateKey.x, privateKey.y].map((half) => Buffer.from(half, 'base64url'));
  return { publicKey: Buffer.concat([Buffer.from([4]), ...point]).toString('base64url'), privateKey };
}

function makeKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  return JSON.stringify(privateKey.export({ format: 'jwk' }));
}
