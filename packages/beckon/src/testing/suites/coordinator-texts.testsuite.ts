import { expect, test } from 'vitest';
import { createMessageHandler } from '../../coordinator/handle-message.ts';
import { ADA, CHAT, type CreateCoordinatorWorld, useCoordinator } from './use-coordinator.ts';

/** Texts in front of an agent: each answers something, is asked about, or reaches the agent. */
export function testCoordinatorTexts(create: CreateCoordinatorWorld): void {
  const tested = useCoordinator(create);

  /** A handler on the person's side, with an agent that repeats what it hears. */
  function createHandler(): (text: string, replyTo?: string) => Promise<string> {
    const handle = createMessageHandler(tested.person, (_, text) => `agent: ${text}`);
    return (text, replyTo) => handle(CHAT, text, { by: ADA, replyTo, hasRead: true });
  }

  /** Asks questions of these names at once, and gives their answers and ids in the order in which they were asked. */
  async function askAll(...names: string[]): Promise<{ ids: string[]; answers: Promise<string>[] }> {
    const ids: string[] = [];
    const answers: Promise<string>[] = [];
    for (const [index, name] of names.entries()) {
      const result = tested.coordinator.handleQuestion(CHAT, { questions: [{ question: name }] });
      answers.push(
        result.then((given) =>
          given.behavior === 'allow' ? String((given.updatedInput['answers'] as object)[name as never]) : given.message,
        ),
      );
      ids.push((await tested.asked(index + 1)).id);
    }
    return { ids, answers };
  }

  test('where nothing is pending every text reaches the agent', async () => {
    const handle = createHandler();
    for (const text of ['hello', '1', '']) expect(await handle(text)).toBe(`agent: ${text}`);
  });

  test('a form takes no text, so the text reaches the agent; a blank text does too', async () => {
    const handle = createHandler();
    const form = { message: 'Who?', schema: { type: 'object' } };
    await tested.world.agent.ask({ kind: 'form', chatId: CHAT, request: form });
    expect(await handle('Ada')).toBe('agent: Ada');
    const { ids, answers } = await askAll('Which port?');
    expect(await handle('  ')).toBe('agent:   ');
    expect(await tested.world.person.get(ids[0] ?? '')).toMatchObject({ status: 'pending' });
    await tested.person.cancelPending(CHAT);
    await Promise.all(answers);
  });

  test('a text in another chat is not for us', async () => {
    const { answers } = await askAll('Which port?');
    expect(await tested.person.handleMessage('elsewhere', '8228', { by: ADA })).toBeNull();
    await tested.person.cancelPending(CHAT);
    await Promise.all(answers);
  });

  test('with several pending the person is asked which, and a number says it', async () => {
    const handle = createHandler();
    const { answers } = await askAll('Which port?', 'Which host?');
    expect(await handle('example.org')).toBe(
      'Which one is "example.org" for? Reply to its message, or send its number:\n1. Which port?\n2. Which host?',
    );
    expect(await handle(' 2 ')).toBe('Response received.');
    expect(await answers[1]).toBe('example.org');
    expect(await handle('8228')).toBe('Response received.');
    expect(await answers[0]).toBe('8228');
  });

  test('a number that was sent together with its text is not a choice from a list that nobody had read', async () => {
    const { ids, answers } = await askAll('Which port?', 'Which host?');
    const say = (text: string): Promise<string | null> => tested.person.handleMessage(CHAT, text, { by: ADA });
    expect(await say('8228')).toMatch(/^Which one is "8228" for\?/);
    const unread = await tested.person.handleMessage(CHAT, '1', { by: ADA, hasRead: false });
    expect(unread).toBe(
      'The number 1 came before you could read the list, so it was not used. Please send the number again.',
    );
    for (const id of ids) expect(await tested.world.person.get(id)).toMatchObject({ status: 'pending' });
    expect(await tested.person.handleMessage(CHAT, '1', { by: ADA, hasRead: true })).toBe('Response received.');
    expect(await answers[0]).toBe('8228');
    await tested.person.cancelPending(CHAT);
    await Promise.all(answers);
  });

  test('with an approval and a form pending a "yes" is asked about, and the form says that it takes no text', async () => {
    const handle = createHandler();
    const form = { message: 'Who?', schema: { type: 'object' } };
    const asked = await tested.world.agent.ask({ kind: 'form', chatId: CHAT, request: form });
    const approval = tested.coordinator.handleApproval(CHAT, 'Bash', { command: 'make deploy' });
    await tested.asked();
    expect(await handle('yes')).toBe(
      [
        'Which one is "yes" for? Reply to its message, or send its number:',
        '1. Who? (cannot be answered by a text)',
        '2. Allow Bash? {"command":"make deploy"}',
      ].join('\n'),
    );
    expect(await handle('1')).toMatch(/^Number 1 cannot be answered by a text\.\nWhich one is "yes" for\?/);
    expect(await handle('yes', asked.id)).toBe('This cannot be answered by a text.');
    expect(await handle('2')).toBe('Response received.');
    expect(await approval).toMatchObject({ behavior: 'allow' });
    expect(await tested.world.person.get(asked.id)).toMatchObject({ status: 'pending' });
  });

  test('a reply to the message of one says which it is', async () => {
    const handle = createHandler();
    const { ids, answers } = await askAll('Which port?', 'Which host?');
    expect(await handle('example.org', ids[1])).toBe('Response received.');
    expect(await answers[1]).toBe('example.org');
    expect(await handle('example.com', ids[1])).toContain('not used: "example.com"');
    expect(await tested.world.person.get(ids[0] ?? '')).toMatchObject({ status: 'pending' });
    await tested.person.cancelPending(CHAT);
    await Promise.all(answers);
  });

  test('a number that was not offered is asked about again, and the text is still there', async () => {
    const handle = createHandler();
    const { answers } = await askAll('Which port?', 'Which host?');
    await handle('example.org');
    expect(await handle('7')).toMatch(/^There is no number 7\.\nWhich one is "example\.org" for\?/);
    expect(await handle('2')).toBe('Response received.');
    expect(await answers[1]).toBe('example.org');
    await tested.person.cancelPending(CHAT);
    await Promise.all(answers);
  });

  test('another text instead of a number takes the place of the first, and the person hears that it was not used', async () => {
    const handle = createHandler();
    const { answers } = await askAll('Which port?', 'Which host?');
    await handle('exmaple.org');
    expect(await handle('example.org')).toMatch(
      /^Your earlier text was not used: "exmaple\.org"\nWhich one is "example/,
    );
    expect(await handle('2')).toBe('Response received.');
    expect(await answers[1]).toBe('example.org');
    await tested.person.cancelPending(CHAT);
    await Promise.all(answers);
  });

  test('a number never answers something else than was offered under it', async () => {
    const handle = createHandler();
    const { ids, answers } = await askAll('Which port?', 'Which host?');
    await handle('8228');
    await tested.person.resolveOption(ids[0] ?? '', '80', ADA);
    expect(await handle('1')).toBe(
      'What is open here has changed, so the number 1 was not used. Please send your answer again.\nYour earlier text was not used: "8228"',
    );
    expect(await tested.world.person.get(ids[1] ?? '')).toMatchObject({ status: 'pending' });
    await tested.person.cancelPending(CHAT);
    await Promise.all(answers);
  });

  test('a number for what is no longer open sends nothing, and says so', async () => {
    const handle = createHandler();
    const { answers } = await askAll('Which port?', 'Which host?');
    await handle('8228');
    await tested.person.cancelPending(CHAT);
    await Promise.all(answers);
    expect(await handle('1')).toBe('That is no longer open. Your earlier text was not used: "8228"');
    expect(await handle('1')).toBe('agent: 1');
  });

  test('a text whose choice was settled meanwhile is not used silently', async () => {
    const handle = createHandler();
    const { ids, answers } = await askAll('Which port?', 'Which host?');
    await handle('8228');
    await tested.person.resolveOption(ids[1] ?? '', 'example.org', ADA);
    expect(await handle('the port is 80')).toBe('Response received.\nYour earlier text was not used: "8228"');
    expect(await answers[0]).toBe('the port is 80');
  });

  test('the plan whose feedback was asked for takes the text, whatever else is pending', async () => {
    const handle = createHandler();
    const { answers } = await askAll('Which port?', 'Which host?');
    const plan = tested.coordinator.handlePlanReview(CHAT, { plan: '# Plan' });
    await tested.person.resolveOption((await tested.asked(3)).id, 'adjust', ADA);
    expect(await handle('shorter')).toBe('Response received.');
    expect(await plan).toEqual({ behavior: 'deny', message: 'shorter' });
    await tested.person.cancelPending(CHAT);
    await Promise.all(answers);
  });

  test('through `resolveText` the question which one is said in the chat', async () => {
    const { answers } = await askAll('Which port?', 'Which host?');
    expect(await tested.person.resolveText(CHAT, 'example.org', ADA)).toBe(true);
    expect(tested.connector.prompts).toEqual([{ chatId: CHAT, text: expect.stringMatching(/^Which one is/) }]);
    expect(await tested.person.resolveText(CHAT, '2', ADA, { hasRead: true })).toBe(true);
    expect(await answers[1]).toBe('example.org');
    expect(await tested.person.resolveText('elsewhere', 'x', ADA)).toBe(false);
    await tested.person.cancelPending(CHAT);
    await Promise.all(answers);
  });

  test('what other processes asked is seen and cancelled', async () => {
    const { id } = await tested.world.agent.ask({ kind: 'approval', chatId: CHAT, request: { tool: 'Bash' } });
    expect(await tested.person.hasPending(CHAT)).toBe(true);
    expect(await tested.person.hasPending('elsewhere')).toBe(false);
    expect(await tested.person.cancelPending(CHAT, '/clear')).toEqual([id]);
    expect(await tested.coordinator.hasPending(CHAT)).toBe(false);
  });
}
