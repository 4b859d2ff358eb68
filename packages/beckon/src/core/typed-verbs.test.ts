import { afterEach, beforeEach, expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import { openBeckon } from '../open-beckon.ts';
import type { ApprovalAnswer, ComponentAnswer, FormAnswer } from '../protocol/answers.ts';
import type { AnsweredBy, AskInput, Interaction, InteractionOf, Settled } from '../protocol/interaction.ts';
import type { ApprovalRequest } from '../protocol/requests.ts';
import { createSqliteDatabase, type TestDatabase } from '../testing/harness/database.ts';
import type { Beckon } from './beckon.ts';
import { request } from './request.ts';

// `tsc` checks the types here, `vitest` that the values are what the types say.
const ANA = { who: 'ana', via: 'test' };
const anything: Record<string, unknown> = { command: 'ls' };

let database: TestDatabase;
let beckon: Beckon;

beforeEach(async () => {
  database = await createSqliteDatabase();
  beckon = await openBeckon({ store: database.url });
});
afterEach(async () => {
  await beckon.close();
  await database.dispose();
});

test('a settled request has the answer of its kind when it was answered', async () => {
  const settled = await request(
    beckon,
    { kind: 'approval', request: { tool: 'deploy', input: anything, suggestions: [anything] }, metadata: anything },
    { onAsked: ({ id }) => void beckon.answer(id, { decision: 'allow', updatedInput: anything }, ANA) },
  );
  expectTypeOf(settled.request).toEqualTypeOf<ApprovalRequest>();
  expectTypeOf(settled.answer).toEqualTypeOf<ApprovalAnswer | undefined>();
  if (settled.status !== 'answered') {
    expectTypeOf(settled.status).toEqualTypeOf<'expired' | 'cancelled' | 'superseded'>();
    expectTypeOf(settled.answer).toEqualTypeOf<undefined>();
    throw new Error(settled.status);
  }
  expectTypeOf(settled.answer).toEqualTypeOf<ApprovalAnswer>();
  expectTypeOf(settled.answeredBy).toEqualTypeOf<AnsweredBy>();
  expect(settled.answer).toEqual({ decision: 'allow', updatedInput: anything });
  expect(settled.answeredBy).toEqual({ ...ANA, kind: 'person' });
});

test('ask, wait and get are typed by kind', async () => {
  const asked = await beckon.ask({ kind: 'component', request: { components: anything } });
  expectTypeOf(asked.kind).toEqualTypeOf<'component'>();
  expectTypeOf(await beckon.get<'component'>(asked.id)).toEqualTypeOf<InteractionOf<'component'> | null>();
  await beckon.answer(asked.id, { action: 'click', data: anything }, ANA);
  const settled = await beckon.wait<'component'>(asked.id);
  if (settled.status !== 'answered') throw new Error(settled.status);
  expectTypeOf(settled.answer).toEqualTypeOf<ComponentAnswer>();
  expect(settled.answer.data).toEqual(anything);
});

test('without a kind they give every kind', async () => {
  const input: AskInput = { kind: 'form', request: { message: 'Who?', schema: anything }, timeout: 0.01 };
  const { id } = await beckon.ask({ ...(input as AskInput), chatId: 'ops' });
  expectTypeOf(await beckon.get(id)).toEqualTypeOf<Interaction | null>();
  const settled = await beckon.wait(id);
  expectTypeOf(settled).toEqualTypeOf<Settled>();
  if (settled.kind === 'form' && settled.status === 'answered') {
    expectTypeOf(settled.answer).toEqualTypeOf<FormAnswer>();
  }
  expect(settled).toMatchObject({ kind: 'form', status: 'expired' });
});

test('the JSON Schema of zod fits as the schema of a form', async () => {
  const schema = z.toJSONSchema(z.object({ seats: z.number() }));
  const settled = await request(
    beckon,
    { kind: 'form', request: { message: 'How many?', schema } },
    { onAsked: ({ id }) => void beckon.answer(id, { values: { seats: 3 } }, ANA) },
  );
  expect(settled.answer?.values).toEqual({ seats: 3 });
});

test('what a kind does not take is refused by the compiler and by Beckon', async () => {
  const wrong = [
    // @ts-expect-error: an approval needs the name of a tool
    () => beckon.ask({ kind: 'approval', request: { question: 'Which?' } }),
    // @ts-expect-error: there is no such kind
    () => beckon.ask({ kind: 'poll', request: { question: 'Which?' } }),
    // @ts-expect-error: there is no such option
    () => beckon.ask({ kind: 'question', request: { question: 'Which?' }, deadline: 3 }),
    // @ts-expect-error: a component request needs components
    () => beckon.ask({ kind: 'component', request: {} }),
  ];
  for (const ask of wrong) await expect(ask()).rejects.toMatchObject({ code: 'invalid_input' });
  expectTypeOf<AskInput>().toExtend<z.input<typeof AskInput>>();
  expectTypeOf<z.input<typeof AskInput>>().toExtend<AskInput>();
});
