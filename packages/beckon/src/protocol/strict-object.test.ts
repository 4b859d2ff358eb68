import { afterEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

describe.each(['a server', 'a web page'])('a strict object on %s', (place) => {
  async function create() {
    if (place === 'a web page') vi.stubGlobal('document', {});
    const { strictObject } = await import('./strict-object.ts');
    return strictObject({ name: z.string(), age: z._default(z.number(), 7) });
  }

  test('gives what fits, with its defaults', async () => {
    expect(z.safeParse(await create(), { name: 'Ada' }).data).toEqual({ name: 'Ada', age: 7 });
  });

  test('names every fault as zod does, also of fields that it does not know', async () => {
    const plain = z.strictObject({ name: z.string(), age: z._default(z.number(), 7) });
    for (const input of [{}, { name: 1, age: 'x' }, { name: 'Ada', size: 3 }, null, [], 'text']) {
      const { error } = z.safeParse(await create(), input);
      expect(error?.issues).toEqual(z.safeParse(plain, input).error?.issues);
      expect(error?.issues.length).toBeGreaterThan(0);
    }
  });

  test('keeps the checks that are added to it', async () => {
    const checked = (await create()).check(z.refine(({ age }) => age > 6));
    expect([
      z.safeParse(checked, { name: 'Ada' }).success,
      z.safeParse(checked, { name: 'Ada', age: 1 }).success,
    ]).toEqual([true, false]);
  });
});
