import { beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../runtime/system-clock.ts';
import { createNotice } from '../testing/harness/notices.ts';
import { REPLY_SECRET, TOPIC, useNtfyReplies } from '../testing/harness/use-ntfy-replies.ts';
import { signReply, toReplyTopic } from './reply-token.ts';
import { createNtfySender } from './senders/ntfy.ts';

describe('answers from ntfy', () => {
  const bench = useNtfyReplies();

  test('a press answers the request of its message, in the name of the owner', async () => {
    bench.follow();
    const { id, message } = await bench.ask();
    await bench.ntfy.press(message, 'Allow');
    expect(await bench.beckon.wait(id)).toMatchObject({
      status: 'answered',
      answer: { decision: 'allow' },
      answeredBy: { who: 'ada', via: 'ntfy', kind: 'person' },
    });
    expect(bench.ntfy.shown(TOPIC)).toEqual([]);
  });

  test('a press answers a question with the option on the button', async () => {
    bench.follow();
    const request = { question: 'Which database?', options: [{ label: 'SQLite' }, { label: 'Postgres' }] };
    const interaction = await bench.beckon.ask({ kind: 'question', request });
    const sender = createNtfySender({ guarded: bench.guarded, secret: REPLY_SECRET, clock: systemClock });
    await sender.send(createNotice(bench.toDestination(), interaction), new AbortController().signal);
    await bench.ntfy.press(bench.ntfy.kept.at(-1), 'Postgres');
    expect((await bench.beckon.wait(interaction.id)).answer).toEqual({ text: 'Postgres', selected: ['Postgres'] });
  });

  test.each([
    ['another answer', 'deny'],
    ['the same answer', 'allow'],
  ])('an old button does nothing, and says who was faster with %s', async (_, decision) => {
    bench.follow();
    const { id, message } = await bench.ask();
    await bench.beckon.answer(id, { decision }, { who: 'bob', via: 'inbox' });
    await bench.ntfy.press(message, 'Allow');
    await expect.poll(bench.told).toHaveLength(1);
    expect(bench.told()[0]).toMatchObject({
      title: `${decision === 'allow' ? 'Allowed' : 'Denied'} by bob in the inbox`,
      message: 'Your button did nothing. npm test',
      click: `https://beckon.example.com/i/${id}`,
    });
    expect((await bench.beckon.get(id))?.answeredBy?.who).toBe('bob');
  });

  test('a button of a request that was cancelled says so, and is a late answer on the log', async () => {
    bench.follow();
    const { id, message } = await bench.ask();
    await bench.beckon.cancel({ id });
    await bench.ntfy.press(message, 'Allow');
    await expect.poll(bench.told).toHaveLength(1);
    expect(bench.told()[0]?.title).toBe('Cancelled');
    const events = await bench.store.readLog({ after: 0, limit: 99 });
    expect(events.map(({ type }) => type)).toContain('interaction.late_answer');
  });

  test('a press twice, and a server that says everything twice, answer once', async () => {
    bench.ntfy.isDoubling = true;
    bench.follow();
    const { id, message } = await bench.ask();
    await Promise.all([bench.ntfy.press(message, 'Deny'), bench.ntfy.press(message, 'Deny')]);
    await bench.beckon.wait(id);
    // What comes after it was read after it.
    const next = await bench.ask('npm run lint');
    await bench.ntfy.press(next.message, 'Deny');
    await bench.beckon.wait(next.id);
    const answers = (await bench.store.readLog({ after: 0, limit: 99 })).filter(
      ({ type }) => type === 'interaction.answered',
    );
    expect(answers).toHaveLength(2);
    expect(bench.told()).toEqual([]);
  });

  test('of two buttons of one message the first counts, and the second says so', async () => {
    bench.follow();
    const { id, message } = await bench.ask();
    await bench.ntfy.press(message, 'Deny');
    await bench.beckon.wait(id);
    await bench.ntfy.press(message, 'Allow');
    const next = await bench.ask('npm run lint');
    await bench.ntfy.press(next.message, 'Deny');
    await bench.beckon.wait(next.id);
    expect((await bench.beckon.get(id))?.answer).toEqual({ decision: 'deny' });
    await expect.poll(bench.told).toMatchObject([{ title: 'Denied by ada in ntfy' }]);
  });

  describe('that nobody pressed', () => {
    const claim = { destination: 'dst_1', interaction: '', choice: 'allow', expiresAt: 4_000_000_000 };

    /** Posts a body, and waits until what was posted after it has been taken. */
    const postAndPass = async (body: string, topic?: string): Promise<void> => {
      await bench.post(body, topic);
      const { id, message } = await bench.ask('npm run passes');
      await bench.ntfy.press(message, 'Allow');
      await bench.beckon.wait(id);
    };

    beforeEach(() => {
      bench.follow();
    });

    test.each([
      ['noise', () => 'allow'],
      ['JSON', () => '{"decision":"allow"}'],
      ['a token that another key signed', (id: string) => signReply('guessed', { ...claim, interaction: id })],
      [
        'a token of another destination',
        (id: string) => signReply(REPLY_SECRET, { ...claim, destination: 'dst_2', interaction: id }),
      ],
      [
        'an answer that no button has',
        (id: string) => signReply(REPLY_SECRET, { ...claim, choice: 'o0', interaction: id }),
      ],
      ['a request that nobody asked', () => signReply(REPLY_SECRET, { ...claim, interaction: 'int_none' })],
    ])('%s does nothing', async (_, toBody) => {
      const { id } = await bench.ask();
      await postAndPass(toBody(id));
      expect(await bench.statusOf(id)).toBe('pending');
    });

    test('a token of one destination does nothing in the reply topic of another', async () => {
      await bench.add({ id: 'dst_2', owner: 'bob' });
      await expect.poll(() => bench.ntfy.requests.at(-1)).toContain(toReplyTopic(REPLY_SECRET, 'dst_2'));
      const { id } = await bench.ask();
      await postAndPass(signReply(REPLY_SECRET, { ...claim, interaction: id }), toReplyTopic(REPLY_SECRET, 'dst_2'));
      expect(await bench.statusOf(id)).toBe('pending');
    });

    test('a token that has expired does nothing, and says so', async () => {
      const { id } = await bench.ask();
      await bench.post(
        signReply(REPLY_SECRET, { ...claim, interaction: id, expiresAt: Math.floor(Date.now() / 1000) }),
      );
      await expect.poll(bench.told).toHaveLength(1);
      expect(bench.told()[0]?.message).toBe('It was too old, and the request still waits. Open the link to answer.');
      expect(await bench.statusOf(id)).toBe('pending');
    });

    test('a request that needs care is not answered by a button, whoever signed it', async () => {
      const { id } = await bench.ask('git push --force origin main');
      await bench.post(signReply(REPLY_SECRET, { ...claim, interaction: id }));
      await expect.poll(bench.told).toHaveLength(1);
      expect(bench.told()[0]?.message).toBe('This request needs a closer look. Open the link to answer.');
      expect(await bench.statusOf(id)).toBe('pending');
    });

    test('a destination that was turned off answers nothing from then on', async () => {
      const { id, message } = await bench.ask();
      const other = await bench.add({ id: 'dst_2', owner: 'bob' });
      await bench.store.destinations.change('dst_1', (record) => ({ ...record, isOn: false }));
      await bench.ntfy.press(message, 'Allow');
      const next = await bench.ask('npm run lint', other);
      await bench.ntfy.press(next.message, 'Allow');
      await bench.beckon.wait(next.id);
      expect([await bench.statusOf(id), bench.told()]).toEqual(['pending', []]);
    });

    test('whoever was locked out answers nothing with the buttons of before', async () => {
      const { id, message } = await bench.ask();
      const other = await bench.add({ id: 'dst_2', owner: 'bob' });
      await bench.store.tokens.remove('ada', new Date().toISOString());
      await bench.ntfy.press(message, 'Allow');
      const next = await bench.ask('npm run lint', other);
      await bench.ntfy.press(next.message, 'Allow');
      await bench.beckon.wait(next.id);
      expect([await bench.statusOf(id), bench.told()]).toEqual(['pending', []]);
    });

    test('a request of a chat that its owner may not enter stays, and nothing is said', async () => {
      await bench.store.destinations.remove('dst_1');
      await bench.add({ chatId: 'team' });
      const { id, message } = await bench.ask();
      await bench.ntfy.press(message, 'Allow');
      const inTeam = await bench.beckon.ask({
        kind: 'approval',
        chatId: 'team',
        request: { tool: 'Bash', input: { command: 'ls' } },
      });
      await bench.post(signReply(REPLY_SECRET, { ...claim, interaction: inTeam.id }));
      await bench.beckon.wait(inTeam.id);
      expect([await bench.statusOf(id), bench.told()]).toEqual(['pending', []]);
    });
  });
});
