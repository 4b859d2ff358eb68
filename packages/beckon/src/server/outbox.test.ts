import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestApp, TEST_BACKEND, type TestApp } from '../testing/harness/server/test-app.ts';

let server: TestApp;
let changes: number;
beforeEach(async () => {
  changes = 0;
  server = await createTestApp({
    bridge: {
      onChange: () => {
        changes += 1;
      },
    },
  });
  for (const turn of [1, 2, 3]) {
    await server.send('agent', 'POST', '/command-complete/int_1', { session_id: `ses_${turn}`, turn });
  }
});
afterEach(() => server.dispose());

async function ids(query = ''): Promise<string[]> {
  const { body } = await server.send('admin', 'GET', `/v1/outbox/entries${query}`);
  return body.items.map(({ id }: { id: string }) => id);
}

async function bury(id: string): Promise<void> {
  const { lanes } = await server.store.outbox.claim({
    destination: TEST_BACKEND,
    lanes: 9,
    entries: 9,
    leaseMs: 0,
    claim: 'test',
  });
  const lane = lanes.find(({ entries }) => entries[0]?.hook.id === id)!;
  const outcomes = [{ entry: lane.entries[0]!, result: 'dead', error: 'HTTP 422' } as const];
  await server.store.outbox.settle({ lane, outcomes, delayMs: 0, at: new Date().toISOString() });
}

test('what waits is listed in pages, by status and session, and read with its event', async () => {
  const [first, second, third] = await ids();
  const page = (await server.send('admin', 'GET', '/v1/outbox/entries?limit=2')).body;
  expect(page.items).toHaveLength(2);
  expect(await ids(`?limit=2&after=${page.next}`)).toEqual([third]);
  expect(await ids('?sessionId=ses_2')).toEqual([second]);
  expect(await ids('?status=dead')).toEqual([]);
  await bury(first!);
  expect(await ids('?status=dead')).toEqual([first]);
  const detail = await server.send('admin', 'GET', `/v1/outbox/entries/${first}`);
  expect(detail.body).toMatchObject({
    status: 'dead',
    attempts: 1,
    error: 'HTTP 422',
    destination: TEST_BACKEND,
    event: { session_id: 'ses_1', interaction_id: 'int_1', event_data: { turn: 1 } },
  });
  expect(await server.send('admin', 'GET', '/v1/outbox/entries/nobody')).toMatchObject({
    status: 404,
    body: { code: 'hook_not_found', detail: expect.stringContaining('"nobody" in the outbox') },
  });
});

test('dead letters are sent again, or dropped', async () => {
  const [first, second] = await ids();
  await bury(first!);
  await bury(second!);
  expect((await server.send('admin', 'POST', '/v1/outbox/retry', { id: first })).body).toEqual({ count: 1 });
  expect(await ids('?status=dead')).toEqual([second]);
  expect((await server.send('admin', 'POST', '/v1/outbox/drop', { dead: true })).body).toEqual({ count: 1 });
  expect((await server.send('admin', 'POST', '/v1/outbox/drop', { id: 'nobody' })).body).toEqual({ count: 0 });
  expect(await ids()).toHaveLength(2);
  for (const body of [{}, { id: 'x', dead: true }, { dead: false }]) {
    expect(await server.send('admin', 'POST', '/v1/outbox/drop', body)).toMatchObject({ status: 400 });
  }
});

test('a backend is paused and resumed', async () => {
  const pause = await server.send('admin', 'POST', '/v1/outbox/pause', { reason: 'maintenance' });
  expect(pause.body).toEqual({ destination: TEST_BACKEND, changed: true });
  expect((await server.send('admin', 'GET', '/v1/outbox/destinations')).body.items).toMatchObject([
    { destination: TEST_BACKEND, waiting: 3, paused: { reason: 'maintenance' } },
  ]);
  const metrics = (await server.send('admin', 'GET', '/metrics')).text;
  expect(metrics).toContain(`beckon_outbox_paused{destination="${TEST_BACKEND}"} 1`);
  expect(metrics).toContain(`beckon_outbox_waiting{destination="${TEST_BACKEND}"} 3`);
  expect(metrics).toMatch(/beckon_outbox_oldest_seconds\{[^}]*\} \d/);
  const resume = () => server.send('admin', 'POST', '/v1/outbox/resume', {});
  expect((await resume()).body).toEqual({ destination: TEST_BACKEND, changed: true });
  expect((await resume()).body).toEqual({ destination: TEST_BACKEND, changed: false });
});

test('a backend that is named is the same in every form of its address, and what is no address is refused', async () => {
  const pause = await server.send('admin', 'POST', '/v1/outbox/pause', { destination: 'https://TEAM.example:443/' });
  expect(pause.body).toEqual({ destination: TEST_BACKEND, changed: true });
  const resume = await server.send('admin', 'POST', '/v1/outbox/resume', { destination: `${TEST_BACKEND}//` });
  expect(resume.body).toEqual({ destination: TEST_BACKEND, changed: true });
  for (const verb of ['pause', 'resume']) {
    const refused = await server.send('admin', 'POST', `/v1/outbox/${verb}`, { destination: 'nonsense' });
    expect(refused.body).toMatchObject({ status: 400, code: 'invalid_input' });
  }
  expect((await server.send('admin', 'GET', '/v1/outbox/destinations')).body.items).toHaveLength(1);
});

test('a change wakes the forwarder', async () => {
  await server.send('admin', 'POST', '/v1/outbox/retry', { dead: true });
  await server.send('admin', 'POST', '/v1/outbox/resume', {});
  expect(changes).toBe(2);
});

test('all of it is for administrators alone', async () => {
  for (const [method, path] of [
    ['GET', 'entries'],
    ['GET', 'entries/x'],
    ['GET', 'destinations'],
    ['POST', 'retry'],
    ['POST', 'drop'],
    ['POST', 'pause'],
    ['POST', 'resume'],
  ] as const) {
    for (const as of ['agent', 'person', 'teamAdmin'] as const) {
      const reply = await server.send(as, method, `/v1/outbox/${path}`, method === 'POST' ? {} : undefined);
      expect(reply.status).toBe(403);
    }
  }
});
