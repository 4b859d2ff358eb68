import { expect, test } from 'vitest';
import type { Interaction } from '../protocol/interaction.ts';
import type { InteractionPage, ListFilter } from '../protocol/list.ts';
import { listAll } from './list-all.ts';

const toItem = (index: number): Interaction => ({ id: `int_${index}` }) as Interaction;

async function read(pages: readonly Partial<InteractionPage>[]): Promise<{ ids: string[]; asked: ListFilter[] }> {
  const asked: ListFilter[] = [];
  const ids: string[] = [];
  const list = async (filter: ListFilter): Promise<InteractionPage> => {
    asked.push(filter);
    return { items: [], lastSeq: 9, ...pages[Math.min(asked.length, pages.length) - 1] };
  };
  for await (const items of listAll(list, { person: 'ada' })) ids.push(...items.map(({ id }) => id));
  return { ids, asked };
}

test('every page is read, with the same filter', async () => {
  const { ids, asked } = await read([
    { items: [toItem(1), toItem(2)], next: '7' },
    { items: [toItem(3)], next: '5' },
    { items: [] },
  ]);
  expect(ids).toEqual(['int_1', 'int_2', 'int_3']);
  expect(asked).toEqual([
    { person: 'ada', limit: 50 },
    { person: 'ada', limit: 50, after: '7' },
    { person: 'ada', limit: 50, after: '5' },
  ]);
});

test('an index that is behind is given time, and what was found too early is not repeated', async () => {
  const early = { items: [toItem(1)], incomplete: true as const };
  const { ids, asked } = await read([early, early, { items: [toItem(2), toItem(1)] }]);
  expect([ids, asked.length]).toEqual([['int_2', 'int_1'], 3]);
});

test('an index that never catches up does not keep anybody waiting without end', async () => {
  const { ids, asked } = await read([{ items: [toItem(1)], incomplete: true }]);
  expect([ids, asked.length]).toEqual([['int_1'], 1000]);
});
