import { expect, test } from 'vitest';
import type { AnswerInput } from '../../protocol/answers.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { ADA, ASKS } from './samples.ts';
import { type CreateBeckonDatabase, useBeckons } from './use-beckons.ts';

/** Forms: the schema is the agent's, the values are a person's, and neither is trusted. */
export function testBeckonForms(create: CreateBeckonDatabase): void {
  const beckons = useBeckons(create);

  async function asked(schema: JsonObject): Promise<string> {
    const { id } = await beckons.beckon.ask({ kind: 'form', request: { message: 'Fill in', schema } });
    return id;
  }

  const fill = (id: string, values: unknown): ReturnType<typeof beckons.beckon.answer> =>
    beckons.beckon.answer(id, { values } as AnswerInput, ADA);

  test('values that satisfy the schema settle the form', async () => {
    const id = await asked(structuredClone(ASKS.form.request.schema) as unknown as JsonObject);
    expect(await fill(id, { name: 'Ada', tags: ['a', 'b'] })).toMatchObject({
      result: 'accepted',
      interaction: { answer: { values: { name: 'Ada', tags: ['a', 'b'] } } },
    });
  });

  test('each value that does not is named by its path, and the form stays open', async () => {
    const id = await asked(structuredClone(ASKS.form.request.schema) as unknown as JsonObject);
    await expect(fill(id, { tags: ['ok', 'too long'] })).rejects.toMatchObject({
      code: 'invalid_answer',
      problems: [{ path: 'values.name' }, { path: 'values.tags[1]' }],
    });
    expect(await fill(id, { name: 'Ada' })).toMatchObject({ result: 'accepted' });
  });

  test.for<[string, JsonObject]>([
    ['of an unknown type', { type: 'colour' }],
    ['with a limit that is no number', { type: 'object', minProperties: 'many' }],
    ['with a broken pattern', { properties: { name: { type: 'string', pattern: '(' } } }],
    ['with a pattern that looks behind', { properties: { name: { type: 'string', pattern: '(?<=a)b' } } }],
    ['that refers to another document', { $ref: 'https://example.com/schema.json' }],
    ['that is checked asynchronously', { $async: true, type: 'object', required: ['name'] }],
  ])('a schema %s is refused at ask', async ([, schema]) => {
    await expect(asked(schema)).rejects.toMatchObject({
      code: 'invalid_input',
      problems: [{ path: 'request.schema' }],
    });
    expect((await beckons.beckon.list()).items).toEqual([]);
  });

  test('a hostile pattern does not hold anybody up', async () => {
    const id = await asked({ properties: { name: { type: 'string', pattern: '^(a+)+$' } } });
    await expect(fill(id, { name: `${'a'.repeat(50_000)}!` })).rejects.toMatchObject({ code: 'invalid_answer' });
    expect(await fill(id, { name: 'aaa' })).toMatchObject({ result: 'accepted' });
  });
}
