import { describe, expect, it } from 'vitest';
import { RecentTexts, type Said } from './recent-texts.ts';

const target = (id: string, awaitingFeedback = false) => ({ id, awaitingFeedback });
const said = (changes: Partial<Said> = {}): Said => ({ chatId: 'ops', text: 'yes', who: 'ada', ...changes });

describe('a text that was taken a moment ago is a repeat', () => {
  it.each<[string, Partial<Said>]>([
    ['in the same words', {}],
    ['in another case', { text: ' YES\n' }],
    ['in words that mean the same', { text: 'ok' }],
  ])('%s', (_, changes) => {
    const texts = new RecentTexts();
    texts.take(said(), 'int_1', 0);
    expect(texts.isRepeat(said(changes), target('int_2'), 9_999)).toBe(true);
  });

  it('even if the clock was set back a little', () => {
    const texts = new RecentTexts();
    texts.take(said(), 'int_1', 100_000);
    expect(texts.isRepeat(said(), target('int_2'), 95_000)).toBe(true);
  });

  it('also as the feedback that its first asked for', () => {
    const texts = new RecentTexts();
    texts.take(said({ text: 'no' }), 'int_1', 0);
    expect(texts.isRepeat(said({ text: 'no' }), target('int_1', true), 1)).toBe(true);
  });
});

describe('a text is no repeat', () => {
  it.each<[string, Partial<Said>, string, number]>([
    ['of another person', { who: 'bob' }, 'int_2', 1],
    ['of another chat', { chatId: 'dev' }, 'int_2', 1],
    ['with other words', { text: 'no' }, 'int_2', 1],
    ['that only says that it denies', { text: 'deny, please' }, 'int_2', 1],
    ['for the same interaction', {}, 'int_1', 1],
    ['ten seconds later', {}, 'int_2', 10_000],
  ])('%s', (_, changes, id, now) => {
    const texts = new RecentTexts();
    texts.take(said(), 'int_1', 0);
    expect(texts.isRepeat(said(changes), target(id), now)).toBe(false);
  });

  it('where the first answered nothing after all', () => {
    const texts = new RecentTexts();
    texts.take(said(), 'int_1', 0)();
    expect(texts.isRepeat(said(), target('int_2'), 1)).toBe(false);
  });

  it('that is remembered is not forgotten with an older one', () => {
    const texts = new RecentTexts();
    const forget = texts.take(said(), 'int_1', 0);
    texts.take(said(), 'int_1', 1);
    forget();
    expect(texts.isRepeat(said(), target('int_2'), 2)).toBe(true);
  });

  it('that was taken long ago, and is forgotten when the next is taken', () => {
    const texts = new RecentTexts();
    texts.take(said(), 'int_1', 0);
    texts.take(said({ text: 'other' }), 'int_2', 20_000);
    expect(texts.isRepeat(said(), target('int_3'), 5_000)).toBe(false);
  });

  it("where a word that a text could be is somebody's text", () => {
    const texts = new RecentTexts();
    texts.take(said({ text: '"allow"' }), 'int_1', 0);
    expect(texts.isRepeat(said({ text: 'allow' }), target('int_2'), 1)).toBe(false);
  });
});
