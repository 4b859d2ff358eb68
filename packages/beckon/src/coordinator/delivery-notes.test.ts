import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Beckon } from '../core/beckon.ts';
import { DeliveryNotes } from './delivery-notes.ts';

let written: string[];
let notes: DeliveryNotes;

beforeEach(() => {
  vi.useFakeTimers();
  written = [];
  const note: Beckon['note'] = async (id) => {
    written.push(id);
    return true;
  };
  notes = new DeliveryNotes({ note } as Beckon, (error) => {
    throw error;
  });
});
afterEach(() => vi.useRealTimers());

test('what ends within a quarter of a second is never written, whenever it began, and the rest is written soon after', () => {
  for (let count = 0; count < 20; count += 1) {
    notes.add(`short-${count}`, 'phone');
    notes.add(`long-${count}`, 'phone');
    vi.advanceTimersByTime(60);
    notes.drop(`short-${count}`);
  }
  vi.advanceTimersByTime(500);
  expect(written).toEqual(Array.from({ length: 20 }, (_, count) => `long-${count}`));
  expect(vi.getTimerCount()).toBe(0);
});

test('what is left is written at the end', async () => {
  notes.add('ripe', 'phone');
  vi.advanceTimersByTime(300);
  notes.add('fresh', 'phone');
  notes.add('fresh', 'desk');
  await notes.write();
  expect(written).toEqual(['ripe', 'fresh', 'fresh']);
  expect(vi.getTimerCount()).toBe(0);
});
