import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSigner } from '../../packages/beckon/src/bridge/signature.ts';
import { answerWith, startBackend, type TestBackend } from '../../packages/beckon/src/testing/harness/test-backend.ts';
import { until } from '../../packages/beckon/src/testing/suites/until.ts';
import { CliBench } from '../harness/cli.ts';

let bench: CliBench;
let backend: TestBackend;

beforeEach(async () => {
  bench = await CliBench.open();
  backend = await startBackend();
});
afterEach(async () => {
  await bench.close();
  await backend.close();
});

async function json(...args: string[]) {
  const { stdout, stderr, code } = await bench.run(['notify', ...args, '--json']);
  if (stdout === '') throw new Error(`exit ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

function up() {
  return bench.up(['--port', '0', '--allow-destination', '127.0.0.1']);
}

describe('a webhook', () => {
  test('is added, gets signed events, is looked at, gets them again, and is removed', async () => {
    await up();
    const url = `${backend.url}/hook`;
    const added = await bench.run([
      'notify',
      'add',
      'webhook',
      url,
      '--types',
      'interaction.requested, interaction.answered',
    ]);
    expect(added).toMatchObject({ code: 0, stderr: expect.stringContaining('Sending a test') });
    const [, id = ''] = /Added (dst_\S+)\./.exec(added.stdout) ?? [];
    const [, secret = ''] = /shown only now: (whsec_\S+)/.exec(added.stdout) ?? [];
    expect(added.stdout).toContain(`It arrived at 127.0.0.1:${backend.port}.`);
    expect(backend.received).toMatchObject([{ path: '/hook', body: { type: 'webhook.test' } }]);

    const asking = await bench.ask(['Deploy?', '--option', 'yes']);
    await bench.run(['answer', asking.id, 'yes']);
    await until(() => expect(backend.received).toHaveLength(3));
    const { text, headers, body } = backend.received[1] ?? { text: '', headers: {}, body: {} };
    createSigner(secret).verify(headers, text);
    expect(() => createSigner(secret).verify(headers, `${text} `)).toThrow('not signed');
    expect(body).toMatchObject({ type: 'interaction.requested', interactionId: asking.id, headline: 'Deploy?' });
    expect(body.link).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:\\d+/i/${asking.id}$`));

    const listed = await bench.run(['notify', 'list']);
    expect(listed.stdout).toMatch(
      new RegExp(`${id} +webhook +on +0 +0 .*types interaction.requested interaction.answered`),
    );
    const deliveries = await bench.run(['notify', 'deliveries', id]);
    expect(deliveries.stdout).toMatch(/^EVENT +STATUS +WHAT/);
    expect(deliveries.stdout).toMatch(new RegExp(`sent +interaction.requested +${asking.id}`));

    expect(await json('replay', id, '--after', '0')).toEqual({ count: expect.any(Number) });
    await until(() => expect(backend.received).toHaveLength(5));
    const rotated = await bench.run(['notify', 'secret', id]);
    expect(rotated.stdout).toMatch(/^whsec_\S+\n$/);
    expect(rotated.stdout).not.toContain(secret);

    expect(await bench.run(['notify', 'remove', id])).toMatchObject({ code: 0, stdout: `Removed ${id}.\n` });
    expect(await bench.run(['notify', 'remove', id])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No destination with id'),
    });
    expect((await bench.run(['notify', 'list'])).stderr).toContain('beckon notify add');
  });

  test('that does not answer says so, has dead letters, and doctor knows', async () => {
    await up();
    const { destination } = await json('add', 'webhook', backend.url);
    backend.reply = answerWith(400, 'not like this');
    const asking = await bench.ask(['Deploy?']);
    await until(async () => expect((await json('list')).items).toMatchObject([{ dead: 1 }]));
    const tested = await bench.run(['notify', 'test', destination.id]);
    expect(tested).toMatchObject({ code: 1, stderr: expect.stringContaining('HTTP 400: not like this') });
    const { findings } = JSON.parse((await bench.run(['doctor', '--json'])).stdout);
    expect(findings).toContainEqual(
      expect.objectContaining({ name: 'notify', status: 'warning', found: expect.stringContaining('1 dead letters') }),
    );
    backend.reply = answerWith(200);
    backend.received.length = 0;
    expect(await bench.run(['notify', 'replay', destination.id, '--dead'])).toMatchObject({
      stdout: 'Queued again: 1\n',
    });
    await until(() => expect(backend.received).toMatchObject([{ body: { interactionId: asking.id } }]));
  });

  test('inside the network is refused without the setting, and says which setting it needs', async () => {
    await bench.up();
    const refused = await bench.run(['notify', 'add', 'webhook', `${backend.url}/hook`]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('127.0.0.1 is inside the network');
    expect(refused.stderr).toContain('beckon up --allow-destination 127.0.0.1');
    expect(backend.connections).toBe(0);
  });

  test('may be allowed by a variable as well, with several hosts', async () => {
    await bench.up(undefined, { env: { BECKON_ALLOW_DESTINATIONS: 'ntfy.internal, 127.0.0.0/8' } });
    expect(await json('add', 'webhook', backend.url)).toMatchObject({ test: { result: 'sent' } });
    const wrong = await bench.run(['up', '--port', '0'], { env: { BECKON_ALLOW_DESTINATIONS: 'a b/c' } });
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('BECKON_ALLOW_DESTINATIONS') });
  });
});

test('settings are edited one by one, and the others stay', async () => {
  await up();
  const { destination } = await json('add', 'webhook', backend.url, '--chat', 'team', '--label', 'ci');
  const { id } = destination;
  const first = await json('edit', id, '--quiet', '22:00-7:00', '--time-zone', 'Europe/Berlin', '--project', 'shop');
  expect(first).toMatchObject({
    label: 'ci',
    when: { quiet: { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' } },
    filter: { chats: ['team'], projects: ['shop'] },
  });
  const second = await json('edit', id, '--after', '5m', '--before-expiry', '1m', '--off');
  expect(second).toMatchObject({ isOn: false, when: { after: '5m', beforeExpiry: '1m', quiet: { from: '22:00' } } });
  const third = await json('edit', id, '--quiet', 'none', '--before-expiry', 'none', '--everything', '--on');
  expect(third).toMatchObject({ isOn: true, when: { after: '5m', evenInSight: false }, filter: {} });
  expect(third.when).not.toHaveProperty('quiet');
  expect(third.when).not.toHaveProperty('beforeExpiry');
  expect((await bench.run(['notify', 'edit', id, '--content', 'link'])).stdout).toBe(`${id} is on: content link.\n`);
});

test.each([
  [['add', 'push'], 2, 'Settings, Notifications'],
  [['add', 'ntfy', '--server', 'http://10.1.2.3'], 1, '10.1.2.3 is inside the network'],
  [['add', 'email', 'ada@example.com'], 1, 'cannot send to destinations of the kind "email"'],
  [['add', 'email', 'not-an-address'], 2, 'an e-mail address'],
  [['add', 'ntfy', '--quiet', 'at night'], 2, '--quiet: expected hours such as 22:00-07:00'],
  [['add', 'ntfy', '--quiet', '22:00-07:00', '--time-zone', 'Mars'], 2, 'a time zone'],
  [['replay', 'dst_1'], 2, 'one of --dead, --event and --after'],
  [['replay', 'dst_1', '--event', 'x'], 2, '--event: expected the number of an event'],
  [['edit', 'dst_1', '--on', '--off'], 2, '--on or --off'],
  [['prove', 'dst_1', '1234'], 1, 'No destination with id "dst_1"'],
])('%j ends with exit code %i and says why', async (args, code, why) => {
  await up();
  const ended = await bench.run(['notify', ...args]);
  expect(ended.stderr).toContain(why);
  expect(ended.code).toBe(code);
});
