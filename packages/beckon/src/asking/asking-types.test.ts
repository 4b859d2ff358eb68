import { afterEach, beforeEach, expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import type { Asked, Beckon } from '../core/beckon.ts';
import { openBeckon } from '../open-beckon.ts';
import type { JsonObject } from '../protocol/json.ts';
import { createSqliteDatabase, type TestDatabase } from '../testing/harness/database.ts';
import { approve } from './approve.ts';
import { choose } from './choose.ts';
import { fillIn } from './fill-in.ts';
import { notify } from './notify.ts';
import { requireApproval } from './require-approval.ts';
import { reviewPlan } from './review-plan.ts';

// `tsc` checks the types here, `vitest` that the values are what the types say. Nobody answers in this file.
let database: TestDatabase;
let beckon: Beckon;

beforeEach(async () => {
  database = await createSqliteDatabase();
  beckon = await openBeckon({ store: database.url, timeout: 0.01 });
});
afterEach(async () => {
  await beckon.close();
  await database.dispose();
});

type Unanswered = 'expired' | 'cancelled' | 'superseded';

interface Deploy {
  stage: 'staging' | 'production';
  force?: boolean;
}
const INPUT: Deploy = { stage: 'staging' };

test('a verdict keeps the type of the input, and says why it is not allowed', async () => {
  const verdict = await approve(beckon, { tool: 'deploy', input: INPUT });
  if (verdict.allowed) expectTypeOf(verdict.input).toEqualTypeOf<Deploy>();
  else {
    expectTypeOf(verdict.because).toEqualTypeOf<'denied' | Unanswered>();
    expectTypeOf(verdict.message).toEqualTypeOf<string>();
    expectTypeOf(verdict).not.toHaveProperty('input');
  }
  const anything = await approve(beckon, { tool: 'deploy', input: { a: 1 } as Record<string, unknown> });
  if (anything.allowed) expectTypeOf(anything.input).toEqualTypeOf<Record<string, unknown>>();
  expectTypeOf(await approve(beckon, { tool: 'restart' })).toHaveProperty('allowed');
  expect(verdict).toMatchObject({ allowed: false, because: 'expired' });
});

test('a choice is one of the labels, or undefined', async () => {
  const one = await choose(beckon, 'Which?', ['staging', 'production']);
  expectTypeOf(one.chosen).toEqualTypeOf<'staging' | 'production' | undefined>();
  expectTypeOf(one.because).toEqualTypeOf<Unanswered | undefined>();
  if (one.chosen !== undefined) expectTypeOf(one.because).toEqualTypeOf<undefined>();
  const described = await choose(beckon, 'Which?', ['a', { label: 'b', description: 'the other' }] as const);
  expectTypeOf(described.chosen).toEqualTypeOf<'a' | 'b' | undefined>();
  const labels: string[] = ['x', 'y'];
  expectTypeOf((await choose(beckon, 'Which?', labels)).chosen).toEqualTypeOf<string | undefined>();
  expect(one).toMatchObject({ because: 'expired' });
});

test('several choices are a list', async () => {
  const many = await choose(beckon, 'Which?', ['a', 'b'], { multiSelect: true });
  expectTypeOf(many.chosen).toEqualTypeOf<('a' | 'b')[] | undefined>();
  const some = await choose(beckon, 'Which?', ['a', 'b'], { multiSelect: Boolean(many) });
  expectTypeOf(some.chosen).toEqualTypeOf<'a' | 'b' | ('a' | 'b')[] | undefined>();
  expect(many.chosen).toBeUndefined();
});

test('own words are not a choice', async () => {
  const own = await choose(beckon, 'Which?', ['a', 'b'], { ownWords: true });
  if (own.because === undefined) {
    expectTypeOf(own.text).toEqualTypeOf<string>();
    expectTypeOf(own.chosen).toEqualTypeOf<'a' | 'b' | undefined>();
  }
  const strict = await choose(beckon, 'Which?', ['a', 'b'], { ownWords: false });
  if (strict.because === undefined) expectTypeOf(strict.chosen).toEqualTypeOf<'a' | 'b'>();
  const both = await choose(beckon, 'Which?', ['a', 'b'], { ownWords: true, multiSelect: true });
  if (both.because === undefined) expectTypeOf(both.chosen).toEqualTypeOf<('a' | 'b')[]>();
  expect(own.text).toBeUndefined();
});

test('values have the output type of the schema', async () => {
  const schema = z.object({ seats: z.number(), on: z.iso.date().transform((day) => new Date(day)) });
  const form = await fillIn(beckon, schema, { message: 'How many?' });
  expectTypeOf(form.values).toEqualTypeOf<{ seats: number; on: Date } | undefined>();
  expectTypeOf(form.because).toEqualTypeOf<Unanswered | 'invalid' | undefined>();
  const small = await fillIn(beckon, mini.object({ seats: mini.number() }), { message: 'How many?' });
  expectTypeOf(small.values).toEqualTypeOf<{ seats: number } | undefined>();
  const made = await fillIn(beckon, z.toJSONSchema(z.object({ seats: z.number() })), { message: 'How many?' });
  expectTypeOf(made.values).toEqualTypeOf<{ seats: number } | undefined>();
  const plain = await fillIn(beckon, { type: 'object' }, { message: 'How many?' });
  expectTypeOf(plain.values).toEqualTypeOf<JsonObject | undefined>();
  const named = await fillIn<{ seats: number }>(beckon, { type: 'object' }, { message: 'How many?' });
  expectTypeOf(named.values).toEqualTypeOf<{ seats: number } | undefined>();
  expect(form).toMatchObject({ because: 'expired' });
});

test('a review has the decisions that were offered', async () => {
  const review = await reviewPlan(beckon, '# Plan');
  if (review.accepted) {
    expectTypeOf(review.decision).toEqualTypeOf<'edit'>();
    expectTypeOf(review.plan).toEqualTypeOf<string>();
  } else {
    expectTypeOf(review.because).toEqualTypeOf<'sent_back' | Unanswered>();
    if (review.because === 'sent_back') expectTypeOf(review.feedback).toEqualTypeOf<string | undefined>();
  }
  const offered = await reviewPlan(beckon, '# Plan', { decisions: ['edit', 'default'] });
  if (offered.accepted) expectTypeOf(offered.decision).toEqualTypeOf<'edit' | 'default'>();
  expect(review).toMatchObject({ accepted: false, because: 'expired' });
});

test('a notice is the question that was asked', async () => {
  const notice = await notify(beckon, 'Done.');
  expectTypeOf(notice).toEqualTypeOf<Asked<'question'>>();
  expect(notice.kind).toBe('question');
});

test('a wrapped function has the parameters of the function, and a promise of its result', () => {
  const deploy = (input: Deploy): string => input.stage;
  expectTypeOf(requireApproval(beckon, deploy)).toEqualTypeOf<(input: Deploy) => Promise<string>>();
  const later = async (input: Deploy, call: { id: string }): Promise<number> => call.id.length + input.stage.length;
  const wrapped = requireApproval(beckon, later, {
    key: (input, call) => {
      expectTypeOf(input).toEqualTypeOf<Deploy>();
      return call.id;
    },
  });
  expectTypeOf(wrapped).toEqualTypeOf<(input: Deploy, call: { id: string }) => Promise<number>>();
  const restart = (): void => undefined;
  expectTypeOf(requireApproval(beckon, restart)).toEqualTypeOf<() => Promise<void>>();
  const named = (path: string): string => path;
  // @ts-expect-error: people see the fields of an object
  expect(requireApproval(beckon, named)).toBeTypeOf('function');
});
