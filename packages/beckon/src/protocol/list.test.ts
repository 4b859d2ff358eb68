import { describe, expect, it } from 'vitest';
import { KINDS, STATUSES } from './interaction.ts';
import { DEFAULT_PAGE_ITEMS, ListFilter } from './list.ts';
import { parse } from './parse.ts';

describe('a list filter', () => {
  it('takes everything, 50 at a time, by default', () => {
    expect(DEFAULT_PAGE_ITEMS).toBe(50);
    expect(parse(ListFilter, {}, { what: 'filter' })).toEqual({ limit: 50 });
  });

  it.each([
    ...STATUSES.map((status) => ({ status })),
    ...KINDS.map((kind) => ({ kind })),
    { chatId: '-100123' },
    { sessionId: 'ses_1' },
    { text: 'x' },
    { text: 'x'.repeat(200) },
    { decision: 'ended_elsewhere' },
    { person: 'ada' },
    { project: 'x'.repeat(300) },
    { since: '2026-01-01', until: '2026-01-31T12:00:00Z' },
    { after: '0' },
    { after: '9'.repeat(15) },
    { limit: 1 },
    { limit: 200 },
    { status: 'pending', kind: 'question', chatId: 'c', sessionId: 's', after: '12', limit: 3 },
  ])('may be %j', (filter) => {
    expect(parse(ListFilter, filter, { what: 'filter' })).toEqual({ limit: 50, ...filter });
  });

  const limit = 'limit: expected a whole number from 1 to 200';
  it.each<[object, string]>([
    [{ limit: 0 }, `${limit}, got 0 (number)`],
    [{ limit: 201 }, `${limit}, got 201 (number)`],
    [{ limit: 1.5 }, `${limit}, got 1.5 (number)`],
    [{ limit: '10' }, 'limit: expected a number, got "10" (text)'],
    [{ after: '' }, 'after: expected a cursor from an earlier page, got "" (text)'],
    [{ after: '9'.repeat(16) }, 'after: expected a cursor from an earlier page, got "9999999999999999" (text)'],
    [{ after: '1; drop' }, 'after: expected a cursor from an earlier page, got "1; drop" (text)'],
    [{ after: 12 }, 'after: expected a text, got 12 (number)'],
    [
      { status: 'open' },
      'status: expected "pending" or "answered" or "expired" or "cancelled" or "superseded", got "open" (text)',
    ],
    [
      { kind: 'plan' },
      'kind: expected "question" or "plan_review" or "approval" or "form" or "component", got "plan" (text)',
    ],
    [{ chatId: 'a b' }, 'chatId: expected 1 to 200 characters'],
    [{ sessionId: '' }, 'sessionId: expected 1 to 200 characters'],
    [{ text: '' }, 'text: expected'],
    [{ text: 'x'.repeat(201) }, 'text: expected'],
    [{ decision: 'open' }, 'decision: expected "pending" or "allowed"'],
    [{ person: '' }, 'person: expected 1 to 300 characters'],
    [{ project: 'x'.repeat(301) }, 'project: expected 1 to 300 characters'],
    [{ since: 'monday' }, 'since: expected a time such as'],
    [{ chat: 'a' }, 'chat: expected no field of this name, got "a" (text)'],
  ])('may not be %j', (filter, problem) => {
    expect(() => parse(ListFilter, filter, { what: 'filter' })).toThrow(`Invalid filter: ${problem}`);
  });
});
