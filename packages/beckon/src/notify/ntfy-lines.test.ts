import { describe, expect, test } from 'vitest';
import { type KeptMessage, startNtfy } from '../testing/harness/ntfy-server.ts';
import { REPLY_SECRET, TOPIC, useNtfyReplies } from '../testing/harness/use-ntfy-replies.ts';
import { toReplyTopic } from './reply-token.ts';

describe('answers from ntfy', () => {
  const bench = useNtfyReplies();

  describe('over a line that breaks', () => {
    test('what was pressed meanwhile arrives behind the last message', async () => {
      bench.follow();
      const first = await bench.ask();
      await bench.ntfy.press(first.message, 'Allow');
      await bench.beckon.wait(first.id);
      const { id: last } = bench.ntfy.kept.at(-1) as KeptMessage;
      const second = await bench.ask('npm run lint');
      bench.ntfy.streaming = { status: 502 };
      bench.ntfy.cut();
      await bench.ntfy.press(second.message, 'Allow');
      bench.ntfy.streaming = undefined;
      await bench.beckon.wait(second.id);
      expect(bench.ntfy.requests).toContain(`GET /${toReplyTopic(REPLY_SECRET, 'dst_1')}/json?since=${last}`);
    });

    test('through many cuts every press arrives once', async () => {
      bench.follow();
      const asked = [];
      for (let index = 0; index < 12; index += 1) asked.push(await bench.ask(`npm run job-${index}`));
      for (const { message } of asked) {
        await bench.ntfy.press(message, 'Allow');
        bench.ntfy.cut();
      }
      for (const { id } of asked) expect((await bench.beckon.wait(id)).answer).toEqual({ decision: 'allow' });
      expect(bench.told()).toEqual([]);
    });

    test('a server that has forgotten the last message sends everything, and nothing is told twice', async () => {
      bench.follow();
      const first = await bench.ask();
      await bench.beckon.cancel({ id: first.id });
      await bench.ntfy.press(first.message, 'Allow');
      await expect.poll(bench.told).toHaveLength(1);
      bench.ntfy.forgetIds();
      bench.ntfy.cut();
      const second = await bench.ask('npm run lint');
      await bench.ntfy.press(second.message, 'Allow');
      await bench.beckon.wait(second.id);
      expect(bench.told()).toHaveLength(1);
    });

    test.each(['isBuffering', 'isCutting'] as const)('where streams fail (%s) it polls', async (fault) => {
      bench.ntfy[fault] = true;
      bench.follow();
      const { id, message } = await bench.ask();
      await bench.ntfy.press(message, 'Allow');
      await bench.beckon.wait(id);
      await expect.poll(() => bench.ntfy.requests.filter((line) => line.includes('poll=1')).length).toBeGreaterThan(2);
      const next = await bench.ask('npm run lint');
      await bench.ntfy.press(next.message, 'Allow');
      expect((await bench.beckon.wait(next.id)).status).toBe('answered');
    });

    test('a server that is too busy is left alone for as long as it asks, and delays no other', async () => {
      const busy = await startNtfy();
      busy.streaming = { status: 429, headers: { 'retry-after': '3600' } };
      await bench.add({ id: 'dst_2', secret: { server: busy.url, topic: TOPIC } });
      bench.follow();
      await expect.poll(() => busy.requests.length).toBe(1);
      for (const command of ['npm test', 'npm run lint', 'npm run build']) {
        const { id, message } = await bench.ask(command);
        await bench.ntfy.press(message, 'Allow');
        await bench.beckon.wait(id);
      }
      expect(busy.requests).toHaveLength(1);
      expect(bench.logged).toEqual([
        expect.stringMatching(
          /^warn: Answers from ntfy at 127\.0\.0\.1:\d+ do not arrive: The ntfy server says HTTP 429/,
        ),
      ]);
      await busy.close();
    });

    test('a server that comes back is heard again, and the log says so', async () => {
      bench.ntfy.streaming = { status: 503 };
      bench.follow();
      const { id, message } = await bench.ask();
      await bench.ntfy.press(message, 'Allow');
      await expect.poll(() => bench.logged).toHaveLength(1);
      bench.ntfy.streaming = undefined;
      await bench.beckon.wait(id);
      expect(bench.logged[1]).toMatch(/^info: Answers from ntfy at 127\.0\.0\.1:\d+ arrive again\.$/);
    });

    test('a store that fails for a moment loses no press', async () => {
      let failures = 0;
      bench.follow({
        beckon: {
          get: (id) => {
            failures += 1;
            return failures <= 3 ? Promise.reject(new Error('The database is busy')) : bench.beckon.get(id);
          },
          answer: (...input) => bench.beckon.answer(...input),
        },
      });
      const { id, message } = await bench.ask();
      await bench.ntfy.press(message, 'Allow');
      expect((await bench.beckon.wait(id)).status).toBe('answered');
      expect(failures).toBe(4);
    });
  });

  describe('after a restart', () => {
    test('what was pressed meanwhile counts, and what was told before is not told again', async () => {
      const first = await bench.ask();
      await bench.beckon.cancel({ id: first.id });
      await bench.ntfy.press(first.message, 'Allow');
      await bench.follow().stop();
      const before = bench.follow();
      await expect.poll(bench.told).toHaveLength(1);
      await before.stop();
      const second = await bench.ask('npm run lint');
      await bench.ntfy.press(second.message, 'Deny');
      bench.follow();
      expect((await bench.beckon.wait(second.id)).answer).toEqual({ decision: 'deny' });
      expect(bench.ntfy.kept.filter(({ tags }) => tags?.[0] === 'information_source')).toHaveLength(1);
    });

    test('two processes that follow one topic answer once and tell once', async () => {
      const other = await bench.database.open();
      bench.follow();
      bench.follow({ store: other });
      await expect.poll(() => bench.ntfy.streams).toBe(2);
      const asked = [];
      for (let index = 0; index < 6; index += 1) asked.push(await bench.ask(`npm run job-${index}`));
      for (const { id } of asked.slice(0, 3))
        await bench.beckon.answer(id, { decision: 'deny' }, { who: 'bob', via: 'inbox' });
      for (const { message } of asked) await bench.ntfy.press(message, 'Allow');
      for (const { id } of asked.slice(3)) expect((await bench.beckon.wait(id)).answer).toEqual({ decision: 'allow' });
      await expect.poll(bench.told).toHaveLength(3);
      await Promise.all(bench.followers.map((replies) => replies.stop()));
      expect(bench.ntfy.kept.filter(({ tags }) => tags?.[0] === 'information_source')).toHaveLength(3);
    });
  });

  describe('of several destinations', () => {
    test('one connection serves all of a server; one that comes later joins it, one that goes leaves', async () => {
      await bench.add({ id: 'dst_2', owner: 'bob', secret: { server: `${bench.ntfy.url}/`, topic: 'bobs' } });
      bench.follow();
      await bench.connected();
      expect(bench.ntfy.streams).toBe(1);
      const { id, message } = await bench.ask('npm test', await bench.add({ id: 'dst_3', owner: 'cleo' }));
      await bench.ntfy.press(message, 'Allow');
      expect((await bench.beckon.wait(id)).answeredBy?.who).toBe('cleo');
      expect(bench.ntfy.streams).toBe(1);
      for (const gone of ['dst_1', 'dst_2', 'dst_3']) await bench.store.destinations.remove(gone);
      await expect.poll(() => bench.ntfy.streams).toBe(0);
    });

    test('a destination with a link alone, of another kind, or that is not proven is not followed', async () => {
      await bench.store.destinations.change('dst_1', (record) => ({ ...record, content: 'link' }));
      await bench.add({ id: 'dst_2' });
      await bench.add({ id: 'dst_3', kind: 'email' });
      const { provenAt: _, ...unproven } = bench.toDestination({ id: 'dst_4' });
      await bench.store.destinations.add(unproven);
      bench.follow();
      await bench.connected();
      expect(bench.ntfy.requests).toEqual([`GET /${toReplyTopic(REPLY_SECRET, 'dst_2')}/json?since=all`]);
    });

    test('a server with access control needs its token to read, and lets buttons write into reply topics', async () => {
      bench.ntfy.token = 'tk_right';
      const secret = { server: bench.ntfy.url, topic: TOPIC, token: 'tk_right' };
      await bench.store.destinations.change('dst_1', (record) => ({ ...record, secret }));
      bench.follow();
      const { id, message } = await bench.ask('npm test', bench.toDestination({ secret }));
      expect(JSON.stringify(message)).not.toContain('tk_right');
      expect(await bench.ntfy.press(message, 'Allow')).toBe(200);
      expect((await bench.beckon.wait(id)).status).toBe('answered');
    });
  });
});
