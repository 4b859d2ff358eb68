import { createCipheriv, createECDH, createHmac, createPrivateKey, type ECDH, randomBytes, sign } from 'node:crypto';
import type { PushSubscription } from '../protocol/destination.ts';
import type { VapidKeys } from './vapid-keys.ts';

/** What a message is encrypted with, and never again: a key pair and a salt. */
export interface Ephemeral {
  ecdh: ECDH;
  salt: Uint8Array;
}

/** Push services take at least 4,096 bytes. The rest is the header, the delimiter and the tag of the cipher. */
export const MOST_SEALED_BYTES = 4096 - 86 - 17;
/** RFC 8292 allows 24 hours. Half of it leaves room for clocks that differ. */
const TOKEN_SECONDS = 12 * 3600;
const RECORD_BYTES = 4096;

/**
 * Encrypts a text so that only the browser of the subscription can read it (RFC 8291). It is padded to `bytes` bytes,
 * so its length tells nothing. Throws if it is longer, or if the browser's key is not one.
 */
export function seal(
  text: string,
  { p256dh, auth }: PushSubscription['keys'],
  bytes: number,
  ephemeral: Ephemeral = createEphemeral(),
): Buffer {
  const content = Buffer.from(text);
  if (content.length > bytes || bytes > MOST_SEALED_BYTES)
    throw new RangeError(`Expected at most ${bytes} bytes to seal, got ${content.length}.`);
  const { ecdh, salt } = ephemeral;
  const theirs = Buffer.from(p256dh, 'base64url');
  const ours = ecdh.getPublicKey();
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours]);
  const secret = derive(Buffer.from(auth, 'base64url'), ecdh.computeSecret(theirs), info, 32);
  const key = derive(salt, secret, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(salt, secret, Buffer.from('Content-Encoding: nonce\0'), 12);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(RECORD_BYTES);
  head.writeUInt8(ours.length, 4);
  // A 2 ends the last record; what follows it is padding.
  const padded = Buffer.alloc(bytes + 1);
  padded[content.copy(padded)] = 2;
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  return Buffer.concat([salt, head, ours, cipher.update(padded), cipher.final(), cipher.getAuthTag()]);
}

/**
 * Says to a push service who sends (RFC 8292). `subject` is where its people complain: an https address or `mailto:`.
 * `now` is in milliseconds.
 */
export function toVapidHeader(endpoint: string, keys: VapidKeys, subject: string | undefined, now: number): string {
  const head = toBase64({ typ: 'JWT', alg: 'ES256' });
  const body = toBase64({
    aud: new URL(endpoint).origin,
    exp: Math.floor(now / 1000) + TOKEN_SECONDS,
    ...(subject !== undefined && { sub: subject }),
  });
  const key = createPrivateKey({ key: keys.privateKey, format: 'jwk' });
  const signature = sign('sha256', Buffer.from(`${head}.${body}`), { key, dsaEncoding: 'ieee-p1363' });
  return `vapid t=${head}.${body}.${signature.toString('base64url')}, k=${keys.publicKey}`;
}

function createEphemeral(): Ephemeral {
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  return { ecdh, salt: randomBytes(16) };
}

/** HKDF with one block of output, which is all that is needed. */
function derive(salt: Uint8Array, secret: Buffer, info: Buffer, length: number): Buffer {
  return hmac(hmac(salt, secret), Buffer.concat([info, Buffer.from([1])])).subarray(0, length);
}

function hmac(key: Uint8Array, data: Buffer): Buffer {
  return createHmac('sha256', key).update(data).digest();
}

function toBase64(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
