import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import type { Beckon } from '../core/beckon.ts';
import { openBeckon } from '../open-beckon.ts';
import type { AnswerInput } from '../protocol/answers.ts';
import { createSqliteDatabase, type TestDatabase } from '../testing/harness/database.ts';
import { ADA } from '../testing/harness/use-places.ts';
import { approve } from './approve.ts';
import type { AskingOptions } from './asking-options.ts';
import { choose } from './choose.ts';
import { fillIn } from './fill-in.ts';
import { reviewPlan } from './review-plan.ts';

let database: TestDatabase;
let beckon: Beckon;

beforeEach(async () => {
  database = await createSqliteDatabase();
  beckon = await openBeckon({ store: database.url, timeout: null });
});
afterEach(async () => {
  await beckon.close();
  await database.dispose();
});

// oxlint-disable-next-line typescript/no-explicit-any -- only options that fit every kind are used here
type Options = AskingOptions<any>;
const VERBS: readonly { run: (options: Options) => Promise<object>; yes: AnswerInput }[] = [
  { run: (options) => approve(beckon, { tool: 'deploy', ...options }), yes: { decision: 'allow' } },
  { run: (options) => choose(beckon, 'Which?', ['a', 'b'], options), yes: { selected: ['a'] } },
  { run: (options) => choose(beckon, 'Why?', ['a'], { ...options, ownWords: true }), yes: { text: 'own' } },
  { run: (options) => choose(beckon, 'Which?', ['a'], { ...options, multiSelect: true }), yes: { text: 'a' } },
  { run: (options) => fillIn(beckon, z.object({}), { message: 'What?', ...options }), yes: { values: {} } },
  { run: (options) => reviewPlan(beckon, '# Plan', options), yes: { decision: 'edit' } },
];
const ENDINGS = ['expired', 'cancelled', 'superseded'] as const;
/** Words that would be an answer if anybody took a reason for one. */
const reasons = fc.oneof(fc.constantFrom('allow', 'yes', 'a', '{"decision":"allow"}'), fc.string({ maxLength: 50 }));

/** Ends a request without an answer, and then answers it: too late. */
async function end(id: string, ending: (typeof ENDINGS)[number], reason: string, yes: AnswerInput): Promise<void> {
  if (ending === 'cancelled') await beckon.cancel({ id }, reason);
  else if (ending === 'superseded') await beckon.supersede(id, reason);
  else await beckon.wait(id);
  expect(await beckon.answer(id, yes, ADA)).toMatchObject({ result: 'late' });
}

test('however a request ends without an answer, and whatever is said then, no verb takes it for one', async () => {
  let asked = 0;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...VERBS), fc.constantFrom(...ENDINGS), reasons, async (verb, ending, reason) => {
      asked += 1;
      const options = { key: `call-${asked}`, ...(ending === 'expired' && { timeout: 0.001 }) };
      const ended: Promise<void>[] = [];
      const onAsked = ({ id }: { id: string }): void => void ended.push(end(id, ending, reason, verb.yes));
      const first = await verb.run({ ...options, onAsked });
      await Promise.all(ended);
      for (const result of [first, await verb.run(options)]) {
        expect(result).toMatchObject({ because: ending, message: expect.any(String) as string });
        const others = Object.entries(result).filter(([field]) => !['id', 'because', 'message'].includes(field));
        expect(others.filter(([, value]) => value !== false)).toEqual([]);
      }
    }),
    { numRuns: 150 },
  );
});

test('an approval is allowed by "allow" alone, with the input that the answer names', async () => {
  const input = { stage: 'production' };
  // An answer with such a field is refused.
  const values = fc.jsonValue({ maxDepth: 1 }).filter((value) => !JSON.stringify(value).includes('__proto__'));
  await fc.assert(
    fc.asyncProperty(
      fc.record(
        {
          decision: fc.constantFrom('allow' as const, 'deny' as const),
          message: fc.string({ maxLength: 20 }),
          updatedInput: fc.dictionary(fc.constantFrom('stage', 'force'), values),
        },
        { requiredKeys: ['decision'] },
      ),
      async ({ updatedInput, ...decided }) => {
        // Nobody may change what they deny.
        const isEdited = decided.decision === 'allow' && updatedInput !== undefined;
        const given = { ...decided, ...(isEdited && { updatedInput: updatedInput as Record<string, unknown> }) };
        const onAsked = ({ id }: { id: string }): void => void beckon.answer(id, given, ADA);
        const verdict = await approve(beckon, { tool: 'deploy', input: input as Record<string, unknown>, onAsked });
        const allowed = { allowed: true, input: isEdited ? updatedInput : input, isEdited };
        const expected = given.decision === 'allow' ? allowed : { allowed: false, because: 'denied' };
        // As JSON: it does not tell -0 from 0, and leaves out what is undefined.
        expect(JSON.parse(JSON.stringify(verdict))).toMatchObject(JSON.parse(JSON.stringify(expected)) as object);
      },
    ),
    { numRuns: 100 },
  );
});
