import { generateText, isStepCount, type ModelMessage, streamText, ToolLoopAgent, tool } from 'ai';
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test';
import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Beckon } from '../../core/beckon.ts';
import type { AnswerInput } from '../../protocol/answers.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { findPending } from '../../testing/harness/find-pending.ts';
import { PLACES, usePlace } from '../../testing/harness/use-places.ts';
import { startPerson } from '../../testing/person.ts';
import { askPerson, type RunOptions, runWithPeople } from './index.ts';

const ADA = { who: 'ada', via: 'test' };
const PROMPT: ModelMessage[] = [{ role: 'user', content: 'Ship v1.2' }];
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

type Call = [id: string, tool: string, input: object];
let deployed: string[];
let saved: ModelMessage[];
beforeEach(() => {
  deployed = [];
  saved = [];
});

const tools = {
  deploy: tool({
    inputSchema: z.object({ stage: z.string() }),
    execute: ({ stage }) => {
      deployed.push(stage);
      return `Deployed to ${stage}.`;
    },
  }),
  version: tool({ inputSchema: z.object({}), execute: () => 'v1.2' }),
  askPerson,
};

/** A model that makes these calls in its first step, if any, and then says that it is done. */
function script(...calls: Call[]): MockLanguageModelV4 {
  return scriptSteps(...(calls.length === 0 ? [] : [calls]));
}

/** A model that makes the calls of one step after the other, and then says that it is done. */
function scriptSteps(...steps: Call[][]): MockLanguageModelV4 {
  const toContent = ([toolCallId, toolName, input]: Call) => ({
    type: 'tool-call' as const,
    toolCallId,
    toolName,
    input: JSON.stringify(input),
  });
  return new MockLanguageModelV4({
    doGenerate: [
      ...steps.map((calls) => ({
        content: calls.map(toContent),
        finishReason: { unified: 'tool-calls' as const, raw: undefined },
        usage,
        warnings: [],
      })),
      {
        content: [{ type: 'text' as const, text: 'Done.' }],
        finishReason: { unified: 'stop' as const, raw: undefined },
        usage,
        warnings: [],
      },
    ],
  });
}

interface Settings extends Partial<RunOptions> {
  messages?: ModelMessage[];
  secret?: string;
}

function ship(beckon: Beckon, model: MockLanguageModelV4, { messages = PROMPT, secret, ...options }: Settings = {}) {
  const agent = new ToolLoopAgent({
    model,
    tools,
    toolApproval: { deploy: ({ stage }) => (stage === 'moon' ? 'denied' : 'user-approval') },
    stopWhen: isStepCount(5),
    ...(secret !== undefined && { experimental_toolApprovalSecret: secret }),
  });
  return runWithPeople(beckon, messages, (messages) => agent.generate({ messages }), {
    key: 'ship',
    save: (messages) => {
      saved = JSON.parse(JSON.stringify(messages)) as ModelMessage[];
    },
    ...options,
  });
}

/** What the model read last about its calls. */
function lastRead(model: MockLanguageModelV4): unknown[] {
  const prompt = model.doGenerateCalls.at(-1)?.prompt ?? [];
  return prompt.flatMap(({ role, content }) =>
    role === 'tool' ? content.map((part) => (part.type === 'tool-result' ? part.output : part)) : [],
  );
}

const DEPLOY = script.bind(null, ['call_1', 'deploy', { stage: 'production' }]);

describe.each(PLACES)('%s', (name) => {
  const place = usePlace(name);
  const answer = async (given: AnswerInput): Promise<Interaction> => {
    const request = await findPending(place.person);
    await place.person.answer(request.id, given, ADA);
    return request;
  };

  test('a call that is allowed runs once, and the conversation is saved before anybody is asked', async () => {
    const model = DEPLOY();
    const running = ship(place.agent, model, { chatId: 'ops', context: { project: 'shop' } });
    const request = await findPending(place.person);
    expect(saved.at(-1)?.role).toBe('assistant');
    expect(deployed).toEqual([]);
    expect(request).toMatchObject({
      chatId: 'ops',
      context: { project: 'shop' },
      request: { tool: 'deploy', input: { stage: 'production' }, abilities: { editInput: true } },
    });
    await answer({ decision: 'allow' });
    const { result, messages } = await running;
    expect(result?.text).toBe('Done.');
    expect(messages).toEqual(saved);
    expect(deployed).toEqual(['production']);
    expect(lastRead(model)).toEqual([{ type: 'text', value: 'Deployed to production.' }]);
  });

  test('a denial reaches the model as such, with who denied it and why', async () => {
    const model = DEPLOY();
    const running = ship(place.agent, model);
    await answer({ decision: 'deny', message: 'not on a Friday' });
    await running;
    expect(deployed).toEqual([]);
    expect(lastRead(model)).toEqual([{ type: 'execution-denied', reason: 'Denied by ada: not on a Friday' }]);
  });

  test.each([
    ['expired', 'Nobody answered in time.'],
    ['cancelled', 'The request was cancelled without an answer: no release today'],
    ['superseded', 'The request ended elsewhere, without an answer here: no release today'],
  ])('what is %s does not run, and the model is not told that somebody denied it', async (status, text) => {
    const model = DEPLOY();
    const running = ship(place.agent, model, status === 'expired' ? { timeout: 0.3 } : {});
    const { id } = await findPending(place.person);
    if (status === 'cancelled') await place.person.cancel({ id }, 'no release today');
    if (status === 'superseded') await place.person.supersede(id, 'no release today');
    await running;
    expect(deployed).toEqual([]);
    expect(lastRead(model)).toEqual([{ type: 'error-text', value: text }]);
    expect(JSON.stringify(saved)).not.toMatch(/denied/i);
  });

  test('a call that a person changed runs as changed', async () => {
    const model = DEPLOY();
    const running = ship(place.agent, model);
    await answer({ decision: 'allow', updatedInput: { stage: 'staging' } });
    await running;
    expect(deployed).toEqual(['staging']);
    expect(JSON.stringify(model.doGenerateCalls.at(-1)?.prompt)).not.toContain('production');
  });

  test('a change that the tool cannot take does not run, changed or unchanged', async () => {
    const model = DEPLOY();
    const running = ship(place.agent, model);
    await answer({ decision: 'allow', updatedInput: { stage: 7 } });
    await running;
    expect(deployed).toEqual([]);
    expect(lastRead(model)).toEqual([
      { type: 'error-text', value: expect.stringContaining('Invalid input for tool deploy') },
    ]);
  });

  test('a signed call runs only as it was signed, so nobody is offered to change it', async () => {
    const running = ship(place.agent, DEPLOY(), { secret: 'a secret of the server' });
    const { id, request } = await findPending(place.person);
    expect(request).toMatchObject({ abilities: { editInput: false } });
    const edited = place.person.answer(id, { decision: 'allow', updatedInput: { stage: 'staging' } }, ADA);
    await expect(edited).rejects.toMatchObject({ code: 'invalid_answer' });
    await answer({ decision: 'allow' });
    await running;
    expect(deployed).toEqual(['production']);
  });

  test('a call whose schema transforms its input is shown as it runs, and is the same request after a restart', async () => {
    const ran: unknown[] = [];
    const at = z.iso.datetime().transform((text) => new Date(text));
    const later = tool({
      inputSchema: z.object({ at, force: z.boolean().default(true) }),
      execute: (input) => ran.push(input),
    });
    const run = (messages: ModelMessage[], model: MockLanguageModelV4) => {
      const agent = new ToolLoopAgent({ model, tools: { later }, toolApproval: { later: 'user-approval' } });
      const save = (all: ModelMessage[]): void => {
        saved = JSON.parse(JSON.stringify(all)) as ModelMessage[];
      };
      return runWithPeople(place.agent, messages, (all) => agent.generate({ messages: all }), { key: 'later', save });
    };
    const running = run(PROMPT, script(['call_1', 'later', { at: '2026-01-01T00:00:00Z' }]));
    const input = { at: '2026-01-01T00:00:00.000Z', force: true };
    expect((await answer({ decision: 'allow' })).request).toMatchObject({ input, abilities: { editInput: false } });
    const beforeAnswer = saved;
    await running;
    expect(ran).toEqual([{ at: new Date(input.at), force: true }]);
    expect((await run(beforeAnswer, script())).result?.text).toBe('Done.');
    expect((await place.person.list()).items).toHaveLength(1);
  });

  test('the model asks a person, who chooses or answers in their own words', async () => {
    const options = [{ label: 'Today' }, { label: 'Tomorrow', description: 'after the tests' }];
    const model = script(
      ['call_1', 'askPerson', { question: 'When?', options }],
      ['call_2', 'askPerson', { question: 'Who tells the team?' }],
    );
    const person = startPerson(place.person, [
      { when: ({ request }) => 'options' in request && request.options.length === 2, answer: { selected: ['Today'] } },
      { answer: { text: 'Ben does', notes: 'he is in the office' } },
    ]);
    await ship(place.agent, model);
    await person.stop();
    expect(lastRead(model)).toEqual([
      { type: 'text', value: 'Today' },
      { type: 'text', value: 'Ben does\n\nNote: he is in the office' },
    ]);
  });

  test('a question without an answer is no answer', async () => {
    const model = script(['call_1', 'askPerson', { question: 'When?' }]);
    await ship(place.agent, model, { timeout: 0.1 });
    expect(lastRead(model)).toEqual([{ type: 'error-text', value: 'Nobody answered in time.' }]);
  });

  test('only what needs a person is asked, of all the calls of a step', async () => {
    const model = script(
      ['call_1', 'version', {}],
      ['call_2', 'deploy', { stage: 'production' }],
      ['call_3', 'deploy', { stage: 'moon' }],
      ['call_4', 'askPerson', { question: 'When?' }],
    );
    const person = startPerson(place.person, [
      { when: { kind: 'approval' }, answer: { decision: 'allow' } },
      { when: { kind: 'question' }, answer: { text: 'Now' } },
    ]);
    expect((await ship(place.agent, model)).result?.text).toBe('Done.');
    await person.stop();
    expect(deployed).toEqual(['production']);
    expect(person.answered).toHaveLength(2);
  });

  test('aborting takes back what waits', async () => {
    const abort = new AbortController();
    const running = ship(place.agent, DEPLOY(), { signal: abort.signal });
    const { id } = await findPending(place.person);
    abort.abort();
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    expect(await place.person.get(id)).toMatchObject({ status: 'superseded' });
    expect(deployed).toEqual([]);
  });

  test('a restarted agent finds the answer that was given meanwhile, and asks nothing twice', async () => {
    const ended = ship(place.agent, DEPLOY()).catch((error: unknown) => error);
    const { id } = await findPending(place.person);
    await place.restart();
    expect(await ended).toMatchObject({ code: 'closed' });
    await place.person.answer(id, { decision: 'allow', updatedInput: { stage: 'staging' } }, ADA);
    const model = script();
    const { result } = await ship(place.agent, model, { messages: saved });
    expect(result?.text).toBe('Done.');
    expect(deployed).toEqual(['staging']);
    expect((await place.person.list()).items).toHaveLength(1);
    expect(await ship(place.agent, model, { messages: saved })).toEqual({ messages: saved, result: undefined });
    expect(deployed).toEqual(['staging']);
  });

  test('an answer never counts for another conversation, even if the model repeats the id of a call', async () => {
    const first = ship(place.agent, DEPLOY());
    await answer({ decision: 'allow' });
    await first;
    const second = ship(place.agent, DEPLOY(), { key: 'ship again' });
    await answer({ decision: 'deny' });
    await second;
    expect(deployed).toEqual(['production']);
  });

  test('a model that repeats the id of a call in a later step is asked for again, and nothing before changes', async () => {
    const model = scriptSteps(
      [['call_1', 'deploy', { stage: 'staging' }]],
      [['call_1', 'deploy', { stage: 'production' }]],
    );
    const running = ship(place.agent, model);
    await answer({ decision: 'allow' });
    await answer({ decision: 'allow', updatedInput: { stage: 'preview' } });
    expect((await running).result?.text).toBe('Done.');
    expect(deployed).toEqual(['staging', 'preview']);
    const calls = saved.flatMap(({ role, content }) =>
      role === 'assistant' && typeof content !== 'string' ? content.filter((part) => part.type === 'tool-call') : [],
    );
    expect(calls.map(({ input }) => input as unknown)).toEqual([{ stage: 'staging' }, { stage: 'preview' }]);
  });

  test('a question that repeats the id of a call is another question, also with the same words', async () => {
    const question: Call = ['call_1', 'askPerson', { question: 'Go on?' }];
    const model = scriptSteps([question], [question]);
    const running = ship(place.agent, model);
    await answer({ text: 'yes' });
    await answer({ text: 'stop' });
    expect((await running).result?.text).toBe('Done.');
    expect(lastRead(model)).toEqual([
      { type: 'text', value: 'yes' },
      { type: 'text', value: 'stop' },
    ]);
  });

  test.each([
    ['is too long', { question: 'Why? '.repeat(20_000) }],
    ['has the same option twice', { question: 'When?', options: [{ label: 'Now' }, { label: 'Now' }] }],
  ])('a question that %s is not asked: the model hears what is wrong, and goes on', async (_, input) => {
    const model = script(['call_1', 'askPerson', input]);
    expect((await ship(place.agent, model)).result?.text).toBe('Done.');
    expect(lastRead(model)).toEqual([
      { type: 'error-text', value: expect.stringContaining('Invalid input for tool askPerson') },
    ]);
    expect((await place.person.list()).items).toEqual([]);
  });

  test('streams and plain calls of generateText do as well', async () => {
    const call = { type: 'tool-call' as const, toolCallId: 'call_1', toolName: 'deploy', input: '{"stage":"staging"}' };
    const finish = { type: 'finish' as const, usage, finishReason: { unified: 'tool-calls' as const, raw: undefined } };
    const toStream = (...chunks: object[]) => ({ stream: simulateReadableStream({ chunks }) as never });
    const streaming = new MockLanguageModelV4({
      doStream: [
        toStream(call, finish),
        toStream({ type: 'text-start', id: '1' }, { type: 'text-delta', id: '1', delta: 'Done.' }, finish),
      ],
    });
    const person = startPerson(place.person, [{ answer: { decision: 'allow' }, times: 2 }]);
    const toolApproval = { deploy: 'user-approval' } as const;
    const streamed = await runWithPeople(
      place.agent,
      PROMPT,
      (messages) => streamText({ model: streaming, tools, toolApproval, messages }),
      { key: 'streamed' },
    );
    expect(await streamed.result?.text).toBe('Done.');
    const plain = DEPLOY();
    const generated = await runWithPeople(
      place.agent,
      PROMPT,
      (messages) => generateText({ model: plain, tools, toolApproval, messages }),
      { key: 'plain' },
    );
    expect(generated.result?.text).toBe('Done.');
    await person.stop();
    expect(deployed).toEqual(['staging', 'production']);
  });
});
