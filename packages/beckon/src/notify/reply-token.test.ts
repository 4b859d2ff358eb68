import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Reply, readReply, signReply, toReplyTopic } from './reply-token.ts';

const SECRET = 'a secret of 256 bits';
const REPLY: Reply = { destination: 'dst_1', interaction: 'int_1', choice: 'allow', expiresAt: 1_800_000_000 };

const Id = fc.stringMatching(/^[\w.:@+=~-]{1,200}$/);
const Replies: fc.Arbitrary<Reply> = fc.record({
  destination: fc.stringMatching(/^[\w-]{1,60}$/).map((id) => `dst_${id}`),
  interaction: Id,
  choice: fc.constantFrom('allow', 'deny', 'o0', 'o2'),
  expiresAt: fc.integer({ min: 0, max: 4_000_000_000 }),
});

test('what was signed is read back, whatever the ids', () => {
  fc.assert(
    fc.property(Replies, (reply) => {
      expect(readReply(SECRET, signReply(SECRET, reply))).toEqual(reply);
    }),
  );
});

test('nobody without the secret signs anything', () => {
  expect(readReply(SECRET, signReply('another secret', REPLY))).toBeNull();
});

test.each([
  ['another answer', { choice: 'deny' }],
  ['another request', { interaction: 'int_2' }],
  ['another destination', { destination: 'dst_2' }],
  ['a later end', { expiresAt: REPLY.expiresAt + 1 }],
])('the signature of one reply is none for %s', (_, change) => {
  const mac = signReply(SECRET, REPLY).split('/').at(-1);
  const forged = { ...REPLY, ...change };
  const text = `${forged.destination}/${forged.interaction}/${forged.choice}/${forged.expiresAt}`;
  expect(readReply(SECRET, `${text}/${mac}`)).toBeNull();
  expect(readReply(SECRET, signReply(SECRET, forged))).toEqual(forged);
});

test('a token with one letter changed, added or missing is nothing', () => {
  const token = signReply(SECRET, REPLY);
  fc.assert(
    fc.property(fc.nat(token.length - 1), fc.constantFrom('a', 'Z', '0', '/', '_', '', 'allow'), (at, letter) => {
      const changed = token.slice(0, at) + letter + token.slice(at + 1);
      fc.pre(changed !== token);
      expect(readReply(SECRET, changed)).toBeNull();
    }),
  );
});

test('texts that are no token are nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(readReply(SECRET, text)).toBeNull();
    }),
  );
});

test('each destination has a reply topic of its own, that ntfy accepts and nobody can guess', () => {
  const topic = toReplyTopic(SECRET, 'dst_1');
  expect(topic).toMatch(/^bkr[\w-]{22}$/);
  expect(toReplyTopic(SECRET, 'dst_1')).toBe(topic);
  expect(toReplyTopic(SECRET, 'dst_2')).not.toBe(topic);
  expect(toReplyTopic('another secret', 'dst_1')).not.toBe(topic);
});
