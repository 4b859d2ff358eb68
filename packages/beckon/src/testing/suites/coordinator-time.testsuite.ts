import { describe, expect, test } from 'vitest';
import { MultiConnector } from '../../coordinator/multi-connector.ts';
import { MemoryConnector } from '../memory-connector.ts';
import { until } from './until.ts';
import { readEvents } from './use-beckons.ts';
import { ADA, CHAT, type CreateCoordinatorWorld, useCoordinator } from './use-coordinator.ts';

const PORT = { questions: [{ question: 'Which port?' }] };

/** What happens as time goes by, when nobody can be reached, and after a restart. */
export function testCoordinatorTime(create: CreateCoordinatorWorld): void {
  const tested = useCoordinator(create);

  const refuse = (): never => {
    throw new Error('no network');
  };

  describe('time policy', () => {
    test('a call may have a timeout of its own, or none', async () => {
      const results = [
        tested.coordinator.handleQuestion(CHAT, PORT, { timeout: null }),
        tested.coordinator.handleApproval(CHAT, 'Bash', {}, { timeout: '1h' }),
      ];
      await tested.asked(2);
      expect(tested.connector.shown.find(({ kind }) => kind === 'question')).not.toHaveProperty('expiresAt');
      expect(tested.connector.shown.find(({ kind }) => kind === 'approval')).toHaveProperty('expiresAt');
      await tested.person.cancelPending(CHAT);
      await Promise.all(results);
    });

    test('the person is reminded once, and warned before the end', async () => {
      const result = tested.coordinator.handleQuestion(CHAT, PORT, {
        timeout: 4,
        remindAfter: '10ms',
        warnBefore: 3,
      });
      await until(() => expect(tested.connector.prompts).toHaveLength(2));
      expect(tested.connector.prompts.map(({ text }) => text)).toEqual([
        'Still waiting for you: Which port?',
        'Expires in 3 s: Which port?',
      ]);
      expect(await result).toMatchObject({ behavior: 'deny' });
      const log = await tested.logUntil('interaction.expired');
      expect(log.filter((type) => type === 'interaction.reminded')).toHaveLength(2);
      expect(tested.connector.prompts).toHaveLength(2);
    });

    test('what waits is passed on as the call says', async () => {
      const escalate = [{ after: '10ms', to: 'dst_none' }];
      const result = tested.coordinator.handleQuestion(CHAT, PORT, { escalate });
      const log = await tested.logUntil('interaction.escalated');
      expect(log.filter((type) => type === 'interaction.escalated')).toHaveLength(1);
      await tested.person.cancelPending(CHAT);
      await result;
    });

    test('of several questions the person is reminded of the one they see, counted from when they saw it', async () => {
      const input = { questions: [{ question: 'Which port?' }, { question: 'Which host?' }] };
      const result = tested.coordinator.handleQuestion(CHAT, input, { remindAfter: '300ms' });
      const { id } = await tested.asked();
      await until(() => expect(tested.connector.prompts).toHaveLength(1));
      await tested.person.resolveOption(id, '1', ADA);
      const shownAt = Date.now();
      await until(() => expect(tested.connector.prompts).toHaveLength(2));
      expect(Date.now() - shownAt).toBeGreaterThan(200);
      expect(tested.connector.prompts.map(({ text }) => text)).toEqual([
        'Still waiting for you: Which port?',
        'Still waiting for you: Which host?',
      ]);
      await tested.person.cancelPending(CHAT);
      await result;
    });

    test('who has answered is not reminded', async () => {
      const result = tested.coordinator.handleQuestion(CHAT, PORT, { remindAfter: '1h', warnBefore: '1m' });
      await tested.person.resolveOption((await tested.asked()).id, '1', ADA);
      await result;
      expect(tested.connector.prompts).toEqual([]);
    });

    test('a default that the agent names is taken on timeout, and marked as such', async () => {
      const input = { questions: [{ question: 'Which port?' }, { question: 'Which host?' }] };
      const result = await tested.coordinator.handleQuestion(CHAT, input, {
        timeout: '50ms',
        onTimeout: 'default',
        default: { 'Which port?': '8228', 'Which host?': 'localhost' },
      });
      expect(result).toEqual({
        behavior: 'allow',
        updatedInput: {
          ...input,
          answers: { 'Which port?': '8228', 'Which host?': 'localhost' },
          defaulted: ['Which port?', 'Which host?'],
        },
      });
      expect(tested.events.at(-1)).toMatchObject({ type: 'INTERACTION_RESOLVED', outcome: 'default' });
      expect((await tested.world.person.list()).items.map(({ status }) => status)).toEqual(['expired', 'expired']);
    });

    test('what a person answered is not marked, and a cancellation takes no default', async () => {
      const options = { onTimeout: 'default', default: '8228' } as const;
      const answered = tested.coordinator.handleQuestion(CHAT, PORT, options);
      await tested.person.resolveOption((await tested.asked()).id, '80', ADA);
      expect(await answered).toEqual({
        behavior: 'allow',
        updatedInput: { ...PORT, answers: { 'Which port?': '80' } },
      });
      const cancelled = tested.coordinator.handleQuestion(CHAT, PORT, options);
      await tested.asked(2);
      await tested.person.cancelPending(CHAT);
      expect(await cancelled).toMatchObject({ behavior: 'deny' });
    });

    test('a default that is not named is refused before anybody is asked', async () => {
      for (const named of [{}, { default: { 'Which host?': 'x' } }]) {
        await expect(
          tested.coordinator.handleQuestion(CHAT, PORT, { onTimeout: 'default', ...named }),
        ).rejects.toMatchObject({ code: 'invalid_input', message: expect.stringContaining('"Which port?"') });
      }
      for (const times of [{ remindAfter: 'soon' }, { warnBefore: -1 }, { timeout: 0 }]) {
        await expect(tested.coordinator.handleQuestion(CHAT, PORT, times)).rejects.toMatchObject({
          code: 'invalid_input',
        });
      }
      expect((await tested.world.person.list()).items).toEqual([]);
    });
  });

  describe('reach', () => {
    test('where nobody can be reached the agent is told, long before the timeout, and the interaction stays answerable', async () => {
      tested.connector.beforeSend = refuse;
      const options = { toolUseId: 'toolu_1', timeout: null };
      const denied = await tested.coordinator.handleQuestion(CHAT, PORT, options);
      expect(denied).toEqual({ behavior: 'deny', message: expect.stringMatching(/^Nobody could be reached/) });
      expect(tested.events.at(-1)).toMatchObject({ type: 'INTERACTION_RESOLVED', outcome: 'undeliverable' });
      const log = await readEvents(tested.world.agent, ({ type }) => type === 'interaction.undeliverable');
      expect(log).toMatchObject([
        { type: 'interaction.requested' },
        { type: 'interaction.undeliverable', connector: 'memory', error: 'no network' },
      ]);
      const [pending] = (await tested.world.person.list({ status: 'pending' })).items;
      expect(await tested.person.resolveOption(pending?.id ?? '', '8228', ADA)).toBe(true);
      expect(await tested.coordinator.handleQuestion(CHAT, PORT, options)).toMatchObject({
        updatedInput: { answers: { 'Which port?': '8228' } },
      });
    });

    test('a chat that no connector reaches is told as well', async () => {
      const connector = new MemoryConnector({ chats: ['elsewhere'] });
      const result = await tested.create({ connector }).handleApproval(CHAT, 'Bash', {});
      expect(result).toEqual({ behavior: 'deny', message: expect.stringMatching(/^Nobody could be reached/) });
      const log = await readEvents(tested.world.agent, ({ type }) => type === 'interaction.undeliverable');
      expect(log.at(-1)).toMatchObject({ error: 'No connector reaches the chat "chat-1".' });
    });

    test('a send that fails once is tried again', async () => {
      let isFirst = true;
      tested.connector.beforeSend = () => {
        if (!isFirst) return;
        isFirst = false;
        refuse();
      };
      const result = tested.coordinator.handleQuestion(CHAT, PORT);
      const { id } = await tested.asked();
      expect(await tested.logUntil('interaction.delivered')).not.toContain('interaction.undeliverable');
      await tested.person.resolveOption(id, '1', ADA);
      expect(await result).toMatchObject({ behavior: 'allow' });
    });

    test('an answer from elsewhere reaches the agent while a connector hangs, and its copy is repainted after it was shown', async () => {
      let goOn: () => void = () => undefined;
      const hanging = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      const slow = new MemoryConnector({ name: 'slow' });
      slow.beforeSend = () => hanging;
      const connector = new MultiConnector({ beckon: tested.world.agent, connectors: [slow, tested.connector] });
      const coordinator = tested.create({ connector });
      const result = coordinator.handleQuestion(CHAT, PORT);
      await tested.person.resolveOption((await tested.asked()).id, '1', ADA);
      expect(await result).toMatchObject({ behavior: 'allow' });
      expect(slow.shown).toEqual([]);
      goOn();
      await coordinator.stop();
      expect(slow.seen(CHAT)).toMatch(/: answered by ada via telegram$/);
    });
  });

  describe('restart', () => {
    test('the same tool call finds its pending interaction: it is shown again, and asked once', async () => {
      const options = { toolUseId: 'toolu_1', sessionId: 'session-1' };
      const first = tested.coordinator.handleQuestion(CHAT, PORT, options);
      const { id, groupId } = await tested.asked();
      expect(groupId).toBe('toolu_1');
      const second = tested.create({}).handleQuestion(CHAT, PORT, options);
      expect(await tested.asked(2)).toMatchObject({ id, status: 'pending' });
      await tested.person.resolveOption(id, '1', ADA);
      expect(await second).toEqual(await first);
      expect((await tested.world.person.list()).items).toHaveLength(1);
    });

    test('the same tool call finds its answers, and goes on with the question that is open', async () => {
      const input = { questions: [{ question: 'Which port?' }, { question: 'Which host?' }] };
      const options = { toolUseId: 'toolu_1' };
      const first = tested.coordinator.handleQuestion(CHAT, input, options);
      await tested.person.resolveOption((await tested.asked()).id, '1', ADA);
      const { id } = await tested.asked(2);
      const second = tested.create({}).handleQuestion(CHAT, input, options);
      expect(await tested.asked(3)).toMatchObject({ id });
      await tested.person.resolveOption(id, 'localhost', ADA);
      expect(await second).toEqual(await first);
      const third = await tested.create({}).handleQuestion(CHAT, input, options);
      expect(third).toEqual(await first);
      expect(tested.connector.shown).toHaveLength(3);
    });

    test('a plan whose feedback was asked for before the restart is asked for it again', async () => {
      const options = { toolUseId: 'toolu_1' };
      const first = tested.coordinator.handlePlanReview(CHAT, { plan: '# Plan' }, undefined, options);
      await tested.person.resolveOption((await tested.asked()).id, 'adjust', ADA);
      await until(() => expect(tested.connector.prompts).toHaveLength(1));
      const second = tested.create({}).handlePlanReview(CHAT, { plan: '# Plan' }, undefined, options);
      await until(() => expect(tested.connector.prompts).toHaveLength(2));
      await tested.person.resolveText(CHAT, 'shorter', ADA);
      expect(await second).toEqual(await first);
    });
  });
}
