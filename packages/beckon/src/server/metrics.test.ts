import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestApp, QUESTION, type TestApp } from '../testing/harness/server/test-app.ts';

let server: TestApp;
beforeEach(async () => {
  server = await createTestApp({ times: { firstRefusalMs: 1 } });
});
afterEach(() => server.dispose());

/** Every sample by its name and labels, as they are written. */
async function read(): Promise<Map<string, number>> {
  const { status, headers, text } = await server.send('admin', 'GET', '/metrics');
  expect(status).toBe(200);
  expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
  const samples = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [, name, value] = /^(\w+(?:\{[^}]*\})?) (\S+)$/.exec(line) ?? [];
    if (name === undefined) throw new Error(`Not a sample: ${line}`);
    samples.set(name, Number(value));
  }
  return samples;
}

async function ask(fields: object = QUESTION): Promise<string> {
  return (await server.send('agent', 'POST', '/v1/interactions', fields)).body.id;
}

test('what is pending is counted by kind, zero included', async () => {
  await ask();
  await ask();
  await ask({ kind: 'approval', request: { tool: 'Bash' } });
  const samples = await read();
  expect(samples.get('beckon_pending{kind="question"}')).toBe(2);
  expect(samples.get('beckon_pending{kind="approval"}')).toBe(1);
  expect(samples.get('beckon_pending{kind="form"}')).toBe(0);
});

test('outcomes and the time to an answer are counted by kind', async () => {
  const [answered, cancelled, superseded] = [await ask(), await ask(), await ask()];
  await ask({ ...QUESTION, timeout: '1ms' });
  await server.send('person', 'POST', `/v1/interactions/${answered}/answer`, { answer: { text: 'yes' } });
  await server.send('person', 'POST', `/v1/interactions/${answered}/answer`, { answer: { text: 'yes' } });
  await server.send('agent', 'POST', `/v1/interactions/${cancelled}/cancel`, {});
  await server.send('agent', 'POST', `/v1/interactions/${superseded}/supersede`, {});
  await server.beckon.start(); // Expires what is due.
  const samples = await read();
  const outcomes = ['answered', 'cancelled', 'superseded', 'expired'];
  expect(outcomes.map((outcome) => samples.get(`beckon_outcomes_total{kind="question",outcome="${outcome}"}`))).toEqual(
    [1, 1, 1, 1],
  );
  expect(samples.get('beckon_time_to_answer_seconds_count{kind="question"}')).toBe(1);
  expect(samples.get('beckon_time_to_answer_seconds_bucket{le="+Inf",kind="question"}')).toBe(1);
  expect(samples.get('beckon_time_to_answer_seconds_sum{kind="question"}')).toBeGreaterThanOrEqual(0);
});

test('a late answer is an event and no second outcome', async () => {
  const id = await ask();
  await server.beckon.cancel({ id });
  expect((await server.send('person', 'POST', `/v1/interactions/${id}/answer`, { answer: { text: 'x' } })).status).toBe(
    410,
  );
  const samples = await read();
  expect(samples.get('beckon_outcomes_total{kind="question",outcome="cancelled"}')).toBe(1);
  expect(samples.get('beckon_events_total{type="interaction.late_answer"}')).toBe(1);
});

test('events, commits, and the steps that shared them are counted', async () => {
  await Promise.all(Array.from({ length: 50 }, () => ask()));
  const samples = await read();
  const commits = samples.get('beckon_commits_total') ?? 0;
  expect(samples.get('beckon_events_total{type="interaction.requested"}')).toBe(50);
  expect(samples.get('beckon_commit_steps_total')).toBe(50);
  expect(commits).toBeGreaterThan(0);
  expect(commits).toBeLessThanOrEqual(50);
});

test('requests are counted by route, not by address, and by status', async () => {
  const id = await ask();
  await server.send('agent', 'GET', `/v1/interactions/${id}`);
  await server.send('agent', 'GET', `/v1/interactions/${id}?wait=0`);
  await server.send('agent', 'GET', '/v1/interactions/int_none');
  await server.send('agent', 'GET', '/v1/interactions');
  for (let index = 0; index < 20; index += 1) await server.inject({ url: `/nowhere/${index}` });
  const samples = await read();
  const count = (labels: string) => samples.get(`beckon_http_request_seconds_count{${labels}}`);
  expect(count('method="POST",route="/v1/interactions",status="201"')).toBe(1);
  expect(count('method="GET",route="/v1/interactions/:id",status="200"')).toBe(2);
  expect(count('method="GET",route="/v1/interactions/:id",status="404"')).toBe(1);
  expect(count('method="GET",route="/v1/interactions",status="403"')).toBe(1);
  expect(count('method="GET",route="none",status="404"')).toBe(20);
  expect([...samples.keys()].filter((name) => name.includes('nowhere'))).toEqual([]);
});

test('waits that are held, and wrong tokens, are counted', async () => {
  const id = await ask();
  const waiting = server.send('agent', 'GET', `/v1/interactions/${id}?wait=60`);
  await server.inject({ url: '/metrics', headers: { authorization: 'Bearer x' } });
  const held = await read();
  expect(held.get('beckon_waits_held')).toBe(1);
  expect(held.get('beckon_refused_tokens_total')).toBe(1);
  await server.beckon.cancel({ id });
  await waiting;
  expect((await read()).get('beckon_waits_held')).toBe(0);
});
