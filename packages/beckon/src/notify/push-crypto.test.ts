import { createECDH, randomBytes } from 'node:crypto';
import ece from 'http_ece';
import { importJWK, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { MOST_SEALED_BYTES, seal, toVapidHeader } from './push-crypto.ts';
import { openVapidKeys } from './vapid-keys.ts';

/** The example of RFC 8291, section 5. */
const RFC = {
  text: 'When I grow up, I want to be a watermelon',
  sender: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  sealed:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl' +
    '7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
};

/** A browser that has subscribed, and opens what was sealed for it as another implementation does. */
function createBrowser() {
  const ecdh = createECDH('prime256v1');
  const p256dh = ecdh.generateKeys('base64url');
  const auth = randomBytes(16).toString('base64url');
  const open = (sealed: Buffer): string =>
    ece.decrypt(sealed, { version: 'aes128gcm', privateKey: ecdh, authSecret: auth }).toString();
  return { keys: { p256dh, auth }, open };
}

test('the example of the RFC comes out to the bit', () => {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(RFC.sender, 'base64url');
  const sealed = seal(RFC.text, RFC, RFC.text.length, { ecdh, salt: Buffer.from(RFC.salt, 'base64url') });
  expect(sealed.toString('base64url')).toBe(RFC.sealed);
});

test.each([
  ['nothing', ''],
  ['a word', 'hello'],
  ['letters of many bytes', 'Grüße, 世界, 👋🏽'],
  ['all that fits', 'a'.repeat(2048)],
  ['what looks like the end', 'a\u0002\u0000\u0000'],
])('another implementation reads %s', (_, text) => {
  const { keys, open } = createBrowser();
  expect(open(seal(text, keys, 2048))).toBe(text);
});

test('every message is as long as any other, and no two are alike', () => {
  const { keys } = createBrowser();
  const texts = ['', 'yes', 'a'.repeat(2048), 'ü'.repeat(1024), 'yes'];
  const sealed = texts.map((text) => seal(text, keys, 2048));
  expect(new Set(sealed.map(({ length }) => length))).toEqual(new Set([2048 + 103]));
  expect(new Set(sealed.map((bytes) => bytes.toString('hex'))).size).toBe(texts.length);
  // Neither do the padding and the text stand in it.
  for (const bytes of sealed) expect(bytes.includes(Buffer.alloc(8))).toBe(false);
});

test('the largest message is what every push service must take', () => {
  const { keys, open } = createBrowser();
  const sealed = seal('x', keys, MOST_SEALED_BYTES);
  expect(sealed.length).toBe(4096);
  expect(open(sealed)).toBe('x');
  expect(() => seal('x', keys, MOST_SEALED_BYTES + 1)).toThrow(RangeError);
  expect(() => seal('too long', keys, 7)).toThrow(RangeError);
});

test('nobody else reads it, and a changed bit is noticed', () => {
  const [ada, eve] = [createBrowser(), createBrowser()];
  const sealed = seal('secret', ada.keys, 64);
  const unreadable = 'Unsupported state or unable to authenticate data';
  expect(() => eve.open(sealed)).toThrow(unreadable);
  sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1;
  expect(() => ada.open(sealed)).toThrow(unreadable);
});

test('a key that is no point of the curve is refused', () => {
  const { keys } = createBrowser();
  const p256dh = Buffer.alloc(65, 4).toString('base64url');
  expect(() => seal('x', { ...keys, p256dh }, 64)).toThrow(
    expect.objectContaining({ code: 'ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY' }),
  );
});

test('a push service learns who sends, for half a day, and for itself alone', async () => {
  const keys = await openVapidKeys(createSecrets(), '2026-11-17T10:00:00.000Z');
  const now = Date.parse('2026-11-17T10:00:00Z');
  const header = toVapidHeader('https://push.example.com:444/send/abc', keys, 'https://beckon.example.com', now);
  const [, token = '', key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header) ?? [];
  expect(key).toBe(keys.publicKey);
  expect(Buffer.from(keys.publicKey, 'base64url')).toHaveLength(65);
  const { d: _, ...publicJwk } = keys.privateKey;
  const { payload, protectedHeader } = await jwtVerify(token, await importJWK(publicJwk, 'ES256'), {
    currentDate: new Date(now),
    audience: 'https://push.example.com:444',
  });
  expect(protectedHeader).toEqual({ typ: 'JWT', alg: 'ES256' });
  expect(payload).toEqual({
    aud: 'https://push.example.com:444',
    exp: now / 1000 + 43_200,
    sub: 'https://beckon.example.com',
  });
});

test('the keys of a store are made once, and processes that start together agree', async () => {
  const secrets = createSecrets();
  const [one, other] = await Promise.all([openVapidKeys(secrets, 'now'), openVapidKeys(secrets, 'now')]);
  expect(other).toEqual(one);
  expect(await openVapidKeys(secrets, 'later')).toEqual(one);
  expect((await openVapidKeys(createSecrets(), 'now')).publicKey).not.toBe(one.publicKey);
});

test('a damaged key is named, and no other is made in its place', async () => {
  const secrets = createSecrets();
  await secrets.keep({ name: 'vapid', value: '{"kty":"RSA"}', at: 'now' });
  await expect(openVapidKeys(secrets, 'now')).rejects.toThrow('Invalid VAPID key');
});

/** The store's table of secrets in memory: whoever keeps one first, wins. */
function createSecrets() {
  const kept = new Map<string, string>();
  return {
    find: (name: string) => Promise.resolve(kept.get(name) ?? null),
    keep: ({ name, value }: { name: string; value: string; at: string }) => {
      if (!kept.has(name)) kept.set(name, value);
      return Promise.resolve(kept.get(name) ?? '');
    },
  };
}
