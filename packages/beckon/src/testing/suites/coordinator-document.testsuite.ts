import { describe, expect, test } from 'vitest';
import { createMessageHandler } from '../../coordinator/handle-message.ts';
import { until } from './until.ts';
import { readEvents } from './use-beckons.ts';
import { ADA, CHAT, type CreateCoordinatorWorld, useCoordinator } from './use-coordinator.ts';

const TWO = {
  questions: [
    { question: 'Which database?', header: 'Store', options: [{ label: 'SQLite' }, { label: 'Postgres' }] },
    { question: 'Which port?', header: 'Port', options: [] },
  ],
};
const PLAN = { plan: '# Plan' };

/** The sentences of the document, one test each. */
export function testCoordinatorDocument(create: CreateCoordinatorWorld): void {
  const tested = useCoordinator(create);

  describe('key behaviors', () => {
    test('Questions are sent sequentially, one at a time. The next question is sent only after the previous one is answered.', async () => {
      const result = tested.coordinator.handleQuestion(CHAT, TWO);
      const first = await tested.asked();
      expect(tested.connector.shown.map(({ id }) => id)).toEqual([first.id]);
      // All are asked in one commit, for those who can show them together.
      const asked = (await tested.world.person.list({ chatId: CHAT })).items;
      expect(asked).toMatchObject([{ groupId: first.groupId, createdAt: first.createdAt }, { id: first.id }]);
      await tested.person.resolveOption(first.id, 'SQLite', ADA);
      const second = await tested.asked(2);
      expect(second).toMatchObject({ request: { question: 'Which port?' }, groupId: first.groupId });
      await until(() => expect(tested.connector.settled.map(({ id }) => id)).toEqual([first.id]));
      await tested.person.resolveOption(second.id, '8228', ADA);
      expect(await result).toMatchObject({ behavior: 'allow' });
      expect(tested.connector.shown).toHaveLength(2);
    });

    test('Users can respond via button click (`resolve_option`) or free text (`resolve_text`).', async () => {
      const result = tested.coordinator.handleQuestion(CHAT, TWO);
      expect(await tested.person.resolveOption((await tested.asked()).id, 'Postgres', ADA)).toBe(true);
      await tested.asked(2);
      expect(await tested.person.resolveText(CHAT, 'the usual one', ADA)).toBe(true);
      expect(await result).toEqual({
        behavior: 'allow',
        updatedInput: { ...TWO, answers: { 'Which database?': 'Postgres', 'Which port?': 'the usual one' } },
      });
    });

    test('On timeout, returns `PermissionResultDeny`.', async () => {
      expect(await tested.coordinator.handleQuestion(CHAT, TWO, { timeout: '50ms' })).toEqual({
        behavior: 'deny',
        message: expect.stringMatching(/^Timed out: nobody answered the question "Which database\?" in time\.$/),
      });
    });

    test('Emits `INTERACTION_REQUESTED` when the first question is sent and `INTERACTION_RESOLVED` when all answers are collected.', async () => {
      const result = tested.coordinator.handleQuestion(CHAT, TWO);
      const first = await tested.asked();
      const about = { chatId: CHAT, kind: 'question' };
      const interactionIds = (await tested.world.agent.list()).items.map(({ id }) => id).toReversed();
      const requested = { ...about, type: 'INTERACTION_REQUESTED', interactionIds };
      expect(tested.events).toEqual([requested]);
      await tested.person.resolveOption(first.id, 'SQLite', ADA);
      const second = await tested.asked(2);
      expect(tested.events).toEqual([requested]);
      await tested.person.resolveOption(second.id, '1', ADA);
      await result;
      const resolved = { type: 'INTERACTION_RESOLVED', outcome: 'answered', interactionIds: [first.id, second.id] };
      expect(interactionIds).toEqual([first.id, second.id]);
      expect(tested.events).toEqual([requested, { ...about, ...resolved }]);
    });
  });

  describe('two-step adjust', () => {
    test('`awaiting_feedback` is set to `True` on the `PendingInteraction`', async () => {
      void tested.coordinator.handlePlanReview(CHAT, PLAN).catch(() => undefined);
      const { id } = await tested.asked();
      expect(await tested.person.resolveOption(id, 'adjust', ADA)).toBe(true);
      expect(await tested.world.agent.get(id)).toMatchObject({ status: 'pending', awaitingFeedback: true });
    });

    test('The connector prompts the user for feedback text', async () => {
      void tested.coordinator.handlePlanReview(CHAT, PLAN).catch(() => undefined);
      await tested.person.resolveOption((await tested.asked()).id, 'adjust', ADA);
      await until(() => expect(tested.connector.seen(CHAT)).toContain('What should be different?'));
      expect(tested.connector.prompts).toHaveLength(1);
    });

    test('When text arrives via `resolve_text()`, it is stored as `feedback` and the event is signaled', async () => {
      const result = tested.coordinator.handlePlanReview(CHAT, PLAN);
      const { id } = await tested.asked();
      await tested.person.resolveOption(id, 'adjust', ADA);
      expect(await tested.person.resolveText(CHAT, 'yes', ADA)).toBe(true);
      await result;
      expect(await tested.world.agent.get(id)).toMatchObject({
        status: 'answered',
        answer: { decision: 'adjust', feedback: 'yes' },
      });
    });

    test('The coordinator returns `PermissionResultDeny` with the feedback, which causes the agent to stay in plan mode and incorporate the feedback', async () => {
      const result = tested.coordinator.handlePlanReview(CHAT, PLAN);
      await tested.person.resolveOption((await tested.asked()).id, 'adjust', ADA);
      await tested.person.resolveText(CHAT, 'use fewer files', ADA);
      expect(await result).toEqual({ behavior: 'deny', message: 'use fewer files' });
    });
  });

  describe('text routing', () => {
    test('In `Engine.handle_message()`, the first check is `has_pending`, then `resolve_text`, and the reply is "Response received."', async () => {
      const result = tested.coordinator.handleQuestion(CHAT, { questions: [{ question: 'Which port?' }] });
      await tested.asked();
      expect(await tested.person.hasPending(CHAT)).toBe(true);
      expect(await tested.person.handleMessage(CHAT, '8228', { by: ADA })).toBe('Response received.');
      expect(await result).toMatchObject({ updatedInput: { answers: { 'Which port?': '8228' } } });
      expect(await tested.person.hasPending(CHAT)).toBe(false);
    });

    test('This intercepts user messages during an active interaction and routes them to the coordinator instead of the agent.', async () => {
      const prompts: string[] = [];
      const handle = createMessageHandler(tested.person, (_, text) => `agent got ${prompts.push(text)}`);
      const result = tested.coordinator.handleQuestion(CHAT, { questions: [{ question: 'Which port?' }] });
      await tested.asked();
      expect(await handle(CHAT, '8228', { by: ADA })).toBe('Response received.');
      await result;
      expect(await handle(CHAT, 'now write the tests', { by: ADA })).toBe('agent got 1');
      expect(prompts).toEqual(['now write the tests']);
    });

    test('Without this, user responses to questions or feedback prompts would be treated as new agent prompts.', async () => {
      const prompts: string[] = [];
      const handle = createMessageHandler(tested.person, (_, text) => void prompts.push(text));
      const result = tested.coordinator.handlePlanReview(CHAT, PLAN);
      await tested.person.resolveOption((await tested.asked()).id, 'adjust', ADA);
      await handle(CHAT, 'shorter', { by: ADA });
      expect(await result).toEqual({ behavior: 'deny', message: 'shorter' });
      expect(prompts).toEqual([]);
    });
  });

  describe('timeout behavior', () => {
    test('All interactions use `asyncio.wait_for()` with the configured timeout (default 300s).', async () => {
      const configured = tested.create({ timeout: '7m' });
      const calls = [
        tested.coordinator.handleQuestion('usual', TWO),
        tested.coordinator.handlePlanReview('usual', PLAN),
        tested.coordinator.handleApproval('usual', 'Bash', {}),
        configured.handleQuestion('configured', TWO),
      ];
      await tested.asked(4);
      const seconds = tested.connector.shown.map(
        ({ chatId, createdAt, expiresAt }) =>
          `${chatId} ${(Date.parse(expiresAt ?? '') - Date.parse(createdAt)) / 1000}`,
      );
      expect(seconds.toSorted()).toEqual(['configured 420', 'usual 300', 'usual 300', 'usual 300']);
      await tested.person.cancelPending('usual');
      await tested.person.cancelPending('configured');
      await Promise.all(calls);
    });

    test('On timeout: The pending interaction is cleaned up', async () => {
      await tested.coordinator.handleQuestion(CHAT, TWO, { timeout: '50ms' });
      expect(await tested.person.hasPending(CHAT)).toBe(false);
      await until(() => expect(tested.connector.seen(CHAT)).toMatch(/: expired$/));
    });

    test('On timeout: `PermissionResultDeny` is returned', async () => {
      const short = tested.create({ timeout: '50ms' });
      const results = await Promise.all([
        short.handleQuestion(CHAT, TWO),
        short.handlePlanReview(CHAT, PLAN),
        short.handleApproval(CHAT, 'Bash', { command: 'ls' }),
      ]);
      for (const result of results) {
        expect(result).toEqual({ behavior: 'deny', message: expect.stringMatching(/^Timed out: /) });
      }
    });

    test('On timeout: The agent receives a denial and can decide how to proceed', async () => {
      const denied = await tested.coordinator.handleQuestion(CHAT, TWO, { timeout: '50ms' });
      expect(denied).toMatchObject({ behavior: 'deny' });
      const again = tested.coordinator.handleQuestion(CHAT, { questions: [{ question: 'Still there?' }] });
      const { id } = await tested.asked(2);
      await tested.person.resolveOption(id, 'yes', ADA);
      expect(await again).toMatchObject({ behavior: 'allow' });
    });
  });

  describe('cancellation', () => {
    test('`cancel_pending(chat_id)` cancels all pending interactions for a chat.', async () => {
      const here = [tested.coordinator.handleQuestion(CHAT, TWO), tested.coordinator.handlePlanReview(CHAT, PLAN)];
      const elsewhere = tested.coordinator.handleQuestion('elsewhere', TWO);
      await tested.asked(3);
      expect(await tested.person.cancelPending(CHAT)).toHaveLength(TWO.questions.length + 1);
      for (const result of await Promise.all(here)) expect(result).toMatchObject({ behavior: 'deny' });
      expect(await tested.person.hasPending('elsewhere')).toBe(true);
      await tested.person.cancelPending('elsewhere');
      await elsewhere;
    });

    test('This is called during error handling (when `AgentError` occurs) and on `/clear`.', async () => {
      const result = tested.coordinator.handleQuestion(CHAT, TWO);
      const { id } = await tested.asked();
      const cancelled = await tested.person.cancelPending(CHAT, '/clear');
      expect(cancelled).toHaveLength(2);
      expect(cancelled).toContain(id);
      expect(await result).toEqual({ behavior: 'deny', message: expect.stringContaining('cancelled (/clear)') });
      expect(await tested.person.cancelPending(CHAT, '/clear')).toEqual([]);
    });

    test('It sets the event without an answer, causing the waiting coroutine to return a denial.', async () => {
      const result = tested.coordinator.handlePlanReview(CHAT, PLAN);
      const { id } = await tested.asked();
      await tested.person.cancelPending(CHAT);
      expect(await result).toEqual({ behavior: 'deny', message: 'Plan review cancelled' });
      expect(await tested.world.agent.get(id)).not.toHaveProperty('answer');
      const log = await readEvents(tested.world.agent, ({ type }) => type === 'interaction.cancelled');
      expect(log.map(({ type }) => type)).not.toContain('interaction.answered');
    });
  });
}
