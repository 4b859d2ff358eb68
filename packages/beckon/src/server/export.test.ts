import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TokenName } from '../testing/harness/server/test-app.ts';

let server: TestApp;
let url: string;
beforeAll(async () => {
  server = await createTestApp();
  url = await server.listen();
  for (let index = 0; index < 120; index += 1) {
    const context = { project: index % 2 === 0 ? 'webshop' : '=HYPERLINK("https://evil.example")' };
    const chatId = index % 10 === 0 ? 'team' : 'other';
    const question = `Deploy ${index}?`;
    const { id } = await server.beckon.ask({ kind: 'question', request: { question }, chatId, context });
    if (index % 3 === 0) await server.beckon.answer(id, { text: 'yes, "now"' }, { who: 'ana', via: 'inbox' });
  }
});
afterAll(() => server.dispose());

async function read(as: TokenName, query: string): Promise<{ status: number; text: string; headers: Headers }> {
  const headers = { authorization: `Bearer ${server.tokens[as]}` };
  const reply = await fetch(`${url}/v1/history/export?${query}`, { headers });
  return { status: reply.status, text: await reply.text(), headers: reply.headers };
}

const toLines = (text: string): string[] => text.trimEnd().split(/\r?\n/);

describe('an export', () => {
  test('as CSV has a head and a line for each request, the newest first, and runs nothing in a spreadsheet', async () => {
    const { status, text, headers } = await read('person', 'format=csv');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present']);
    expect(headers.get('content-disposition')).toBe('attachment; filename="beckon-history.csv"');
    const [head, first, ...rest] = toLines(text);
    expect(head).toMatch(/^id,asked at,/);
    expect(first).toMatch(/^int_.*,"'=HYPERLINK\(""https:\/\/evil\.example""\)",.*,Deploy 119\?,,pending,/);
    expect(rest).toHaveLength(119);
    expect(rest.at(-1)).toMatch(/,webshop,,,question,Deploy 0\?,,answered,ana,inbox,"yes, ""now""",$/);
    expect((await read('admin', '')).text).toBe(text);
  });

  test('as JSON lines has the requests themselves', async () => {
    const { text, headers } = await read('person', 'format=jsonl&person=ana&project=webshop');
    expect(headers.get('content-type')).toBe('application/jsonl; charset=utf-8');
    const found = toLines(text).map((line) => JSON.parse(line));
    expect(found).toHaveLength(20);
    expect(found[0]).toEqual(await server.beckon.get(found[0].id));
  });

  describe('of approvals', () => {
    let other: TestApp;
    let address: string;
    beforeAll(async () => {
      other = await createTestApp();
      address = await other.listen();
      for (const command of ['npm test', 'npm install left-pad', 'git push --force'])
        await other.beckon.ask({ kind: 'approval', request: { tool: 'Bash', input: { command } } });
      await other.beckon.ask({ kind: 'question', request: { question: 'Which color?' } });
    });
    afterAll(() => other.dispose());

    async function readLines(format: string): Promise<string[]> {
      const headers = { authorization: `Bearer ${other.tokens.person}` };
      return toLines(await (await fetch(`${address}/v1/history/export?format=${format}`, { headers })).text());
    }

    test('as CSV says how risky each is, and nothing about other kinds', async () => {
      const [head, ...lines] = await readLines('csv');
      const at = head?.split(',').indexOf('risk') ?? -1;
      expect(lines.map((line) => line.split(',')[at])).toEqual(['', 'dangerous', 'notable', 'routine']);
    });

    test('as JSON lines says so too, and what was found', async () => {
      const found = (await readLines('jsonl')).map((line) => JSON.parse(line));
      expect(found.map(({ risk }) => risk?.level)).toEqual([undefined, 'dangerous', 'notable', 'routine']);
      expect(found[1].risk.findings).toMatchObject([{ code: 'force-push', place: { path: ['command'] } }]);
    });
  });

  test.each<[string, number]>([
    ['decision=answered', 40],
    ['decision=answered&until=2020-01-01', 0],
    ['text=deploy%2011', 11],
    ['chatId=team', 12],
    ['status=pending&project=webshop', 40],
  ])('has what passes the filter %s', async (query, count) => {
    expect(toLines((await read('person', query)).text)).toHaveLength(count + 1);
  });

  test('has the requests of a chat alone for who is limited to it', async () => {
    for (const as of ['teamPerson', 'teamAdmin'] as const) {
      expect(toLines((await read(as, 'format=jsonl')).text)).toHaveLength(12);
      expect((await read(as, 'chatId=other')).status).toBe(403);
    }
    expect((await read('agent', '')).status).toBe(403);
  });

  test.each(['format=xls', 'limit=1', 'text=', 'since=monday'])('with %s is refused', async (query) => {
    const { status, text } = await read('person', query);
    expect([status, JSON.parse(text).code]).toEqual([400, 'invalid_input']);
  });

  describe('of many megabytes', () => {
    let other: TestApp;
    let address: string;
    beforeEach(async () => {
      other = await createTestApp();
      address = await other.listen();
      const plan = 'x'.repeat(150_000);
      await Promise.all(
        Array.from({ length: 160 }, () => other.beckon.ask({ kind: 'plan_review', request: { plan } })),
      );
    });
    afterEach(() => other.dispose());

    /** Reads the beginning, lets something happen, and reads on. */
    async function readSlowly(meanwhile: () => Promise<unknown>): Promise<'whole' | 'broken'> {
      const headers = { authorization: `Bearer ${other.tokens.person}` };
      const reading = request(`${address}/v1/history/export?format=jsonl`, { headers });
      reading.end();
      const [reply] = (await once(reading, 'response')) as [IncomingMessage];
      const ended = new Promise<'whole' | 'broken'>((resolve) => {
        reply.once('end', () => resolve('whole'));
        reply.once('error', () => resolve('broken'));
      });
      await meanwhile();
      reply.resume();
      return ended;
    }

    test('waits for a slow reader', async () => {
      expect(await readSlowly(() => pause(100))).toBe('whole');
    });

    test('ends when its token is revoked, and nobody takes it for whole', async () => {
      const ending = await readSlowly(async () => {
        await other.store.tokens.remove('ana', '2026-01-01T00:00:00.000Z');
        // A known token is trusted for a second.
        await pause(2500);
      });
      expect(ending).toBe('broken');
    });

    test('does not keep Beckon from stopping', async () => {
      expect(await readSlowly(() => other.stop())).toBe('broken');
    });
  });
});
