import { expect, test } from 'vitest';
import { until } from './until.ts';
import { ADA, CHAT, type CreateCoordinatorWorld, useCoordinator } from './use-coordinator.ts';

const COLOURS = {
  question: 'Which colours?',
  header: 'Colours',
  multiSelect: true,
  options: [{ label: 'Red' }, { label: 'Green' }, { label: 'Blue' }],
};
const LAYOUT = {
  question: 'Which layout?',
  options: [{ label: 'Rows', description: 'one below another', preview: '```\n=\n=\n```' }, { label: 'Columns' }],
};
const PORT = { question: 'Which port?' };

/** Questions, asked together and shown one after another. */
export function testCoordinatorQuestions(create: CreateCoordinatorWorld): void {
  const tested = useCoordinator(create);

  test('without questions the agent is allowed at once, and nobody hears of it', async () => {
    for (const input of [{ questions: [] }, {}, { questions: [], metadata: { source: 'x' } }]) {
      expect(await tested.coordinator.handleQuestion(CHAT, input)).toEqual({
        behavior: 'allow',
        updatedInput: { ...input, answers: {} },
      });
    }
    expect(tested.events).toEqual([]);
    expect((await tested.world.person.list()).items).toEqual([]);
  });

  test('the questions of one call are a group, and each says which of how many it is', async () => {
    const result = tested.coordinator.handleQuestion(CHAT, { questions: [COLOURS, LAYOUT, PORT] });
    for (const [index, answer] of ['Red', 'Rows', '1'].entries()) {
      const { id, metadata } = await tested.asked(index + 1);
      expect(metadata).toEqual({ step: index + 1, steps: 3 });
      expect(tested.connector.shown).toHaveLength(index + 1);
      expect(tested.connector.seen(CHAT)).toContain(`(${index + 1} of 3)`);
      await tested.person.resolveOption(id, answer, ADA);
    }
    await result;
    const groups = tested.connector.shown.map(({ groupId }) => groupId);
    expect(groups[0]).toMatch(/^grp_/);
    expect(new Set(groups).size).toBe(1);
  });

  test('options, their descriptions and their previews reach the person', async () => {
    const result = tested.coordinator.handleQuestion(CHAT, { questions: [LAYOUT] });
    expect(await tested.asked()).toMatchObject({ request: LAYOUT });
    await tested.person.cancelPending(CHAT);
    await result;
  });

  test('several choices are joined by a comma, and the preview of a choice goes back to the agent', async () => {
    const input = { questions: [COLOURS, LAYOUT] };
    const result = tested.coordinator.handleQuestion(CHAT, input);
    await tested.person.resolveOption((await tested.asked()).id, { selected: ['Red', 'blue'] }, ADA);
    await tested.person.resolveOption((await tested.asked(2)).id, 'Rows', ADA);
    expect(await result).toEqual({
      behavior: 'allow',
      updatedInput: {
        ...input,
        answers: { 'Which colours?': 'Red, Blue', 'Which layout?': 'Rows' },
        annotations: { 'Which layout?': { preview: '```\n=\n=\n```' } },
      },
    });
  });

  test('free text beside the options is an answer, and notes go back to the agent', async () => {
    const result = tested.coordinator.handleQuestion(CHAT, { questions: [COLOURS] });
    const notes = 'but only on Fridays';
    await tested.person.resolveOption((await tested.asked()).id, { text: 'Purple', notes }, ADA);
    expect(await result).toMatchObject({
      updatedInput: { answers: { 'Which colours?': 'Purple' }, annotations: { 'Which colours?': { notes } } },
    });
  });

  test('what the agent sent beside the questions is given back unchanged, and a strange name is a name', async () => {
    const input = { questions: [{ ...PORT, question: '__proto__', colour: 'red' }], metadata: { source: 'test' } };
    const result = tested.coordinator.handleQuestion(CHAT, input);
    await tested.person.resolveOption((await tested.asked()).id, '1', ADA);
    const answers = Object.fromEntries([['__proto__', '1']]);
    expect(JSON.stringify(await result)).toBe(
      JSON.stringify({ behavior: 'allow', updatedInput: { ...input, answers } }),
    );
  });

  test.for([
    [{ questions: 'all' }, 'questions'],
    [{ questions: [{ header: 'Port' }] }, 'questions[0].question'],
    [{ questions: [PORT, { question: 'x', options: Array.from({ length: 101 }, () => ({ label: 'y' })) }] }, 'options'],
  ] as const)('input that is not valid is denied with the path of the field: %#', async ([input, path]) => {
    const result = await tested.coordinator.handleQuestion(CHAT, input as never);
    expect(result).toEqual({ behavior: 'deny', message: expect.stringContaining(path) });
    expect((await tested.world.person.list()).items).toEqual([]);
    expect(tested.events).toEqual([]);
  });

  test('if the second question times out, the denial says so and names what was answered', async () => {
    const result = tested.coordinator.handleQuestion(CHAT, { questions: [COLOURS, PORT] }, { timeout: '2s' });
    const first = await tested.asked();
    await tested.person.resolveOption(first.id, 'Red', ADA);
    expect(await result).toEqual({
      behavior: 'deny',
      message:
        'Nobody answered 1 of 2 questions in time: "Which port?". Answered: "Which colours?" = Red. ' +
        'Ask again only what is open.',
    });
    expect(tested.events.map(({ type, outcome }) => [type, outcome])).toEqual([
      ['INTERACTION_REQUESTED', undefined],
      ['INTERACTION_RESOLVED', 'expired'],
    ]);
  });

  test('all questions answered together, elsewhere, are never shown in the chat', async () => {
    const result = tested.coordinator.handleQuestion(CHAT, { questions: [COLOURS, LAYOUT, PORT] });
    const { groupId = '' } = await tested.asked();
    const { items } = await tested.world.person.list({ groupId });
    const answers = items.map(({ id }) => ({ id, answer: { text: 'elsewhere' } }));
    expect(await tested.world.person.answerGroup(groupId, answers, ADA)).toMatchObject({ result: 'accepted' });
    expect(await result).toMatchObject({ updatedInput: { answers: { 'Which port?': 'elsewhere' } } });
    await until(() => expect(tested.connector.settled).toHaveLength(3));
    expect(tested.connector.shown).toHaveLength(1);
  });

  test('a step that was answered elsewhere is passed over, and a text answers the step that is shown', async () => {
    const result = tested.coordinator.handleQuestion(CHAT, { questions: [COLOURS, LAYOUT, PORT] });
    const { groupId = '' } = await tested.asked();
    const [, second] = (await tested.world.person.list({ groupId })).items.toReversed();
    await tested.person.resolveOption(second?.id ?? '', 'Rows', ADA);
    expect(await tested.person.resolveText(CHAT, 'Red', ADA)).toBe(true);
    expect(await tested.asked(2)).toMatchObject({ metadata: { step: 3 } });
    expect(await tested.person.resolveText(CHAT, '8228', ADA)).toBe(true);
    expect(await result).toMatchObject({
      updatedInput: { answers: { 'Which colours?': 'Red', 'Which layout?': 'Rows', 'Which port?': '8228' } },
    });
  });

  test('a question that is cancelled ends the others, and the denial names what was answered', async () => {
    const result = tested.coordinator.handleQuestion(CHAT, { questions: [COLOURS, LAYOUT, PORT] });
    const { id, groupId = '' } = await tested.asked();
    await tested.person.resolveOption(id, 'Red', ADA);
    const [, , third] = (await tested.world.person.list({ groupId })).items.toReversed();
    await tested.world.person.cancel({ id: third?.id ?? '' });
    expect(await result).toEqual({
      behavior: 'deny',
      message: expect.stringMatching(/^Cancelled: the question "Which port\?" .* Answered before: .*"Red"\.$/),
    });
    expect(await tested.person.hasPending(CHAT)).toBe(false);
  });

  test('what surrounds the call is with each of its requests', async () => {
    const context = { project: 'webshop', branch: 'main', message: 'Nearly done.' };
    const result = tested.coordinator.handleQuestion(CHAT, { questions: [COLOURS, PORT] }, { context });
    const approval = tested.coordinator.handleApproval(CHAT, 'Bash', { command: 'ls' }, { context });
    await tested.asked(2);
    for (const one of (await tested.world.person.list()).items) expect(one.context).toMatchObject(context);
    await tested.person.cancelPending(CHAT);
    await Promise.all([result, approval]);
  });

  test('an id that is unknown or settled is false, and a word too late is in the log', async () => {
    expect(await tested.person.resolveOption('nobody', 'yes', ADA)).toBe(false);
    const result = tested.coordinator.handleQuestion(CHAT, { questions: [PORT] });
    const { id } = await tested.asked();
    expect(await tested.person.resolveOption(id, '1', ADA)).toBe(true);
    expect(await tested.person.resolveOption(id, '1', ADA)).toBe(false);
    expect(await tested.person.resolveOption(id, '2', ADA)).toBe(false);
    expect(await result).toMatchObject({ updatedInput: { answers: { 'Which port?': '1' } } });
    const cancelled = tested.coordinator.handleQuestion(CHAT, { questions: [PORT] });
    const { id: late } = await tested.asked(2);
    await tested.person.cancelPending(CHAT);
    await cancelled;
    expect(await tested.person.resolveOption(late, '1', ADA)).toBe(false);
    expect(await tested.logUntil('interaction.late_answer')).toContain('interaction.cancelled');
  });

  test('an answer that does not fit changes nothing, and the person is told', async () => {
    const result = tested.coordinator.handleQuestion(CHAT, { questions: [LAYOUT] });
    const { id } = await tested.asked();
    expect(await tested.person.resolveOption(id, { selected: ['Rows', 'Columns'] }, ADA)).toBe(false);
    expect(tested.connector.prompts).toEqual([{ chatId: CHAT, text: expect.stringContaining('one option') }]);
    expect(await tested.person.resolveOption(id, 'Rows', ADA)).toBe(true);
    await result;
  });

  test('what the agent settled itself is denied as superseded, which is neither a no nor a timeout', async () => {
    const result = tested.coordinator.handleQuestion(CHAT, { questions: [PORT] });
    await tested.world.agent.supersede((await tested.asked()).id, 'answered in the terminal');
    expect(await result).toEqual({
      behavior: 'deny',
      message: expect.stringMatching(/^Ended elsewhere: .*\(answered in the terminal\)\.$/),
    });
  });

  test('an abort cancels what is pending, and what is asked after it', async () => {
    const abort = new AbortController();
    const result = tested.coordinator.handleQuestion(CHAT, { questions: [PORT] }, { signal: abort.signal });
    const { id } = await tested.asked();
    abort.abort();
    expect(await result).toEqual({ behavior: 'deny', message: expect.stringMatching(/^Cancelled: /) });
    expect(await tested.world.person.get(id)).toMatchObject({ status: 'cancelled' });
    const after = await tested.coordinator.handleApproval(CHAT, 'Bash', {}, { signal: abort.signal });
    expect(after).toEqual({ behavior: 'deny', message: expect.stringMatching(/^Cancelled: /) });
    expect(await tested.person.hasPending(CHAT)).toBe(false);
  });

  test('a listener that throws does not cost the agent its answer', async () => {
    const errors: unknown[] = [];
    const coordinator = tested.create({
      events: () => {
        throw new Error('deaf');
      },
      onError: (error) => errors.push(error),
    });
    const result = coordinator.handleQuestion(CHAT, { questions: [PORT] });
    await tested.person.resolveOption((await tested.asked()).id, '1', ADA);
    expect(await result).toMatchObject({ behavior: 'allow' });
    expect(errors).toHaveLength(2);
  });
}
