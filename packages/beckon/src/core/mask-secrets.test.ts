import { describe, expect, test } from 'vitest';
import { LOOK_ALIKES, SECRETS } from '../testing/harness/secret-corpus.ts';
import { MASK } from './mask.ts';
import { maskContext, maskSecrets } from './mask-secrets.ts';

test('the corpus is large enough to mean something', () => {
  expect(SECRETS.length).toBeGreaterThanOrEqual(60);
  expect(LOOK_ALIKES.length).toBeGreaterThanOrEqual(60);
});

test.each(SECRETS)('%s is masked, alone and among other text', (_, text, secret) => {
  expect(text).toContain(secret);
  for (const whole of [text, `before\n${text}\nafter`, JSON.stringify({ text })]) {
    const masked = maskSecrets(whole);
    expect(masked).toContain(MASK);
    expect(masked).not.toContain(secret);
    expect(maskSecrets(masked)).toBe(masked);
  }
});

test.each(LOOK_ALIKES.map((text) => [text]))('%j stays as it is', (text) => {
  expect(maskSecrets(text)).toBe(text);
  expect(maskSecrets(`before\n${text}\nafter`)).toBe(`before\n${text}\nafter`);
});

describe('texts of a megabyte, made to be slow', () => {
  const pieces = [
    'a',
    'A1',
    ' ',
    '\n',
    '=',
    '-',
    '\\',
    '"',
    'eyJ',
    'eyJa.',
    'ghp_',
    'sk-',
    'sk-ant-a',
    'SG.a',
    'AKIA',
    '1',
    '12345678:AA',
    '://',
    '://:',
    '://a:b',
    'a:',
    'password=',
    'password="',
    'password=\\"',
    "password: '",
    'PASSWORD=a',
    'token=token',
    '--password ',
    '--token-',
    'Bearer ',
    'Bearer aaaaaaaaaaaaa.',
    'Authorization: ',
    'authorization: basic ',
    'mysql ',
    'mysql -',
    'curl ',
    'curl -u a',
    'docker login ',
    'redis-cli ',
    'your_',
    'password=your_a_',
    'login a password ',
    '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEY-----aaaaaaaaaaaaaaaaaaaaaaaa ',
    '-----BEGIN PRIVATE KEY-----\n ',
    '-----END PRIVATE KEY-----',
    'aaaaaaaaaaaaaaaaaaaaaaaa -----END PRIVATE KEY-----',
    '-----BEGIN ',
    'hooks.slack.com/services/',
    '"auth":"',
    'identified by ',
    'M'.repeat(24),
    '\\n',
    '\\nghp_',
  ];

  test.each(pieces.map((piece) => [piece]))('%j, again and again', (piece) => {
    const text = piece.repeat(Math.ceil(1_048_576 / piece.length));
    const startedAt = performance.now();
    const masked = maskSecrets(text);
    const ms = performance.now() - startedAt;
    expect(maskSecrets(masked)).toBe(masked);
    // Quadratic time would be minutes.
    expect(ms).toBeLessThan(5000);
  });
});

test('parts of the corpus in any order are masked once and for all', () => {
  const texts = [...SECRETS.map(([, text]) => text), ...LOOK_ALIKES];
  const between = [
    '',
    ' ',
    '\n',
    '"',
    '=',
    ':',
    ';',
    '&',
    'password=',
    'token: "',
    '\\n',
    '--password ',
    '://a:',
    '@',
    ')',
  ];
  let state = 123_456_789;
  const draw = (below: number): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
  for (let times = 0; times < 5000; times += 1) {
    const parts = Array.from({ length: 1 + draw(5) }, () => {
      const text = texts[draw(texts.length)] ?? '';
      const part = draw(2) === 0 ? text : text.slice(draw(text.length)).slice(0, draw(80));
      return `${part}${between[draw(between.length)]}`;
    });
    const masked = maskSecrets(parts.join(''));
    expect(maskSecrets(masked)).toBe(masked);
  }
});

test('what is recognizable stays', () => {
  const token = `gh${'p_'}${'a1B2'.repeat(9)}`;
  expect(maskSecrets(`git clone https://ada:${token}@github.com/ada/shop`)).toBe(
    `git clone https://ada:ghp_${MASK}@github.com/ada/shop`,
  );
  expect(maskSecrets('mysql -u root -phunter2 shop')).toBe(`mysql -u root -p${MASK} shop`);
  expect(maskSecrets('PGPASSWORD=swordfish psql')).toBe(`PGPASSWORD=${MASK} psql`);
});

test('names of values are not values', () => {
  for (const text of [
    'password: user1.password',
    'secret=load2(x)',
    'SECRET=load2(x)',
    'token => a1b2c3d4e5',
    "pass = 'first'",
    "pass = 'compile'",
    "accessKey: 'settings-page-keyboard-shortcut'",
    "token: 'ABCDEFGHIJKLMNOPQRSTUVW'",
    'token: "one, two, three and ten"',
    "token: 'one/two.three/four.five'",
  ]) {
    expect(maskSecrets(text)).toBe(text);
  }
});

test('every text of a context is masked, even if it is not as it should be; hashes stay', () => {
  const sha256 = '0123456789abcdef'.repeat(4);
  const context = {
    message: 'password: hunter2',
    calls: [{ tool: 'Bash', about: 'mysql -phunter2', ms: 3 }],
    files: [{ path: '/a', sha256, before: [{ line: 1, text: 'TOKEN=swordfish' }] }],
    more: [null, true, { deep: 'https://a:hunter2@b' }],
  };
  expect(maskContext(context)).toEqual({
    message: `password: ${MASK}`,
    calls: [{ tool: 'Bash', about: `mysql -p${MASK}`, ms: 3 }],
    files: [{ path: '/a', sha256, before: [{ line: 1, text: `TOKEN=${MASK}` }] }],
    more: [null, true, { deep: `https://a:${MASK}@b` }],
  });
});

test('what no context has room for is left out, so that it takes no time', () => {
  expect(maskContext({ message: 'm'.repeat(10_000_000) }).message).toHaveLength(262_144);
  const { calls } = maskContext({ calls: Array.from({ length: 100_000 }, (_, index) => `call ${index}`) });
  expect(calls).toHaveLength(600);
  expect(calls.at(-1)).toBe('call 99999');
  const lists = maskContext(Array.from({ length: 600 }, () => Array.from({ length: 600 }, () => 'some words')));
  expect(lists.flat().filter((text) => text !== '')).toHaveLength(3000);
});

test('of a conversation without end the newest words stay, and the rest of the context', () => {
  const conversation = Array.from({ length: 500 }, (_, index) => `${index} ${'password=hunter2 '.repeat(500)}`);
  const masked = maskContext({ conversation, message: 'All tests pass.', files: [{ path: '/a.ts' }] });
  expect(masked).toMatchObject({ message: 'All tests pass.', files: [{ path: '/a.ts' }] });
  expect(masked.conversation.at(-1)).toMatch(/^499 password=…/);
  expect(masked.conversation[0]).toBe('');
});

test('a context without an end is cut', () => {
  const around: { inside?: object } = {};
  around.inside = around;
  expect(JSON.stringify(maskContext(around)).length).toBeLessThan(200);
});
