import { cpSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import { createTemporaryFolder } from '../testing/harness/temporary-folder.ts';
import { PLACES, usePlace } from '../testing/harness/use-places.ts';
import { fillIn } from './fill-in.ts';
import type { StandardSchema } from './standard-schema.ts';

describe.each(PLACES)('fillIn %s', (where) => {
  const place = usePlace(where);

  const options = (values: Record<string, unknown>) => ({ message: 'A table?', ...place.answer({ values }) });

  test('gives the values with the defaults and transforms of the schema', async () => {
    const schema = z.object({
      seats: z.number().int().default(2),
      on: z.iso.date().transform((day) => new Date(day)),
      name: z.string().trim(),
    });
    const form = await fillIn(place.agent, schema, options({ on: '2026-01-01', name: ' Ada ' }));
    expect(form.values).toEqual({ seats: 2, on: new Date('2026-01-01'), name: 'Ada' });
    expect(form).toMatchObject({ answeredBy: { who: 'ada' } });
  });

  test('accepts only what fits the JSON Schema', async () => {
    const schema = z.object({ seats: z.number().max(8) });
    expect(
      await place.refuse((more) => fillIn(place.agent, schema, { message: 'A table?', ...more }), {
        values: { seats: 9 },
      }),
    ).toBe('invalid_answer');
  });

  test('says what is wrong with values that only the schema itself refuses', async () => {
    const schema = z
      .object({ from: z.number(), to: z.number() })
      .refine(({ from, to }) => from < to, { path: ['to'], message: 'must be after the start' });
    const form = await fillIn(place.agent, schema, options({ from: 3, to: 2 }));
    expect(form).toMatchObject({
      because: 'invalid',
      message: 'The values were filled in, but are not valid: to: must be after the start',
      problems: [{ path: 'to', message: 'must be after the start' }],
      given: { from: 3, to: 2 },
      answeredBy: { who: 'ada' },
    });
    expect(form.values).toBeUndefined();
    const whole = await fillIn(
      place.agent,
      z.looseObject({}).refine(() => false, 'never'),
      options({}),
    );
    expect(whole).toMatchObject({ because: 'invalid', problems: [{ path: '', message: 'never' }] });
  });

  test('waits for a schema that checks elsewhere', async () => {
    const schema = z.object({ name: z.string().refine(async (given) => given !== 'ada', 'is taken') });
    expect(await fillIn(place.agent, schema, options({ name: 'ada' }))).toMatchObject({
      because: 'invalid',
      problems: [{ path: 'name', message: 'is taken' }],
    });
  });

  test('leaves patterns to the schema that Beckon does not take', async () => {
    const schema = z.object({ name: z.string().regex(/^(?!admin)\w+$/) });
    expect(await fillIn(place.agent, schema, options({ name: 'ada' }))).toMatchObject({ values: { name: 'ada' } });
    expect(await fillIn(place.agent, schema, options({ name: 'admin' }))).toMatchObject({ because: 'invalid' });
    const twice = z.object({ word: z.string().regex(/^(\w+) \1$/) });
    const given = { word: 'ha ha' };
    expect(await fillIn(place.agent, twice, options(given))).toMatchObject({ values: given });
    expect(await fillIn(place.agent, twice, options({ word: 'ha ho' }))).toMatchObject({ because: 'invalid' });
  });

  test('leaves patterns with flags to the schema, because JSON Schema has none', async () => {
    const schema = z.object({ version: z.string().max(9).regex(/^v\d/i).regex(/\d$/) });
    expect(await fillIn(place.agent, schema, options({ version: 'V2' }))).toMatchObject({ values: { version: 'V2' } });
    expect(await fillIn(place.agent, schema, options({ version: 'x2' }))).toMatchObject({ because: 'invalid' });
    const small = mini.object({ version: mini.string().check(mini.regex(/^v\d$/i)) });
    expect(await fillIn(place.agent, small, options({ version: 'V2' }))).toMatchObject({ values: { version: 'V2' } });
  });

  test.each([
    ['zod/mini', async () => mini.object({ seats: mini._default(mini.number(), 2) })],
    ['another copy of zod', () => loadOtherZod().then((other) => other.object({ seats: other.number().default(2) }))],
    ['z.toJSONSchema', async () => z.toJSONSchema(z.object({ seats: z.number().default(2) }), { io: 'input' })],
    ['another library', async () => createOtherSchema()],
  ] as const)('takes a schema of %s', async (_, create) => {
    const schema = (await create()) as StandardSchema<{ seats: number }>;
    const form = await fillIn(place.agent, schema, options({}));
    expect(form.values).toEqual({ seats: 2 });
    const asked = await place.person.get(form.id);
    expect(asked?.request).toMatchObject({ schema: { type: 'object', properties: { seats: { type: 'number' } } } });
    expect(JSON.stringify(asked?.request)).not.toContain('standard');
  });

  test('takes a plain JSON Schema, and gives the values as they are', async () => {
    const schema = { type: 'object', properties: { seats: { type: 'number', default: 2 } } };
    expect(await fillIn(place.agent, schema, options({}))).toMatchObject({ values: {} });
  });

  test.each([
    ['a Date', z.object({ on: z.date() }), 'A form cannot show this schema: Date cannot be represented'],
    ['no object', z.string(), 'expected the schema of an object, got "string"'],
    ['no JSON Schema', createPlainStandardSchema(), 'got one of plain that does not'],
    ['nothing', undefined as unknown as StandardSchema, 'request.schema: expected an object, got nothing'],
  ])('refuses a schema with %s before it asks', async (_, schema, message) => {
    const asking = fillIn(place.agent, schema, { message: 'A table?' });
    await expect(asking).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(message) as string,
    });
    expect((await place.person.list()).items).toEqual([]);
  });
});

/** A whole copy of zod, as a program has that depends on another version. */
async function loadOtherZod(): Promise<typeof z> {
  const folder = createTemporaryFolder('beckon-zod-');
  const here = dirname(fileURLToPath(import.meta.resolve('zod')));
  cpSync(here, folder, { recursive: true, filter: (path) => !/\.d\.c?ts$|\.cjs$|\/src$/.test(path) });
  const other = (await import(/* @vite-ignore */ pathToFileURL(join(folder, 'index.js')).href)) as typeof z;
  rmSync(folder, { recursive: true });
  expect(other.object).not.toBe(z.object);
  return other;
}

/** Schemas of some libraries are functions, and their issues have other paths. */
function createOtherSchema(): StandardSchema<{ seats: number }> {
  return Object.assign(() => undefined, {
    '~standard': {
      version: 1,
      vendor: 'other',
      validate: (value: unknown) => ({ value: { seats: 2, ...(value as object) } }),
      jsonSchema: { input: () => ({ type: 'object', properties: { seats: { type: 'number' } } }) },
    },
  });
}

function createPlainStandardSchema(): StandardSchema {
  return { '~standard': { vendor: 'plain', validate: (value) => ({ value }) } };
}
