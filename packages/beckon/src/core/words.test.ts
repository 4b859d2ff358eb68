import { describe, expect, it } from 'vitest';
import { KNOWN_PLAN_WORDS, normalize, toApprovalDecision, toPlanDecision, toPlanWord } from './words.ts';

const PLAN_WORDS = [
  ['edit', 'edit'],
  ['clean_edit', 'clean_edit'],
  ['default', 'default'],
  ['adjust', 'adjust'],
  ['yes', 'clean_edit'],
  ['y', 'clean_edit'],
  ['ok', 'clean_edit'],
  ['accept', 'clean_edit'],
  ['approve', 'clean_edit'],
  ['proceed', 'clean_edit'],
  ['no', 'adjust'],
  ['n', 'adjust'],
  ['reject', 'reject'],
] as const;

const APPROVAL_WORDS = [
  ['yes', 'allow'],
  ['y', 'allow'],
  ['ok', 'allow'],
  ['accept', 'allow'],
  ['approve', 'allow'],
  ['proceed', 'allow'],
  ['allow', 'allow'],
  ['no', 'deny'],
  ['n', 'deny'],
  ['deny', 'deny'],
  ['reject', 'deny'],
] as const;

/** Texts that contain a word, or look like one, and yet are none. */
const NOT_WORDS = ['', ' ', 'maybe', 'yes please', 'not ok', 'yes, but no', 'oknot', 'toString', '__proto__'];

describe('the decision about a plan', () => {
  it.each(PLAN_WORDS)('"%s" means %s', (word, decision) => {
    expect(toPlanDecision(word)).toBe(decision);
  });

  it.each([...NOT_WORDS, 'allow', 'deny'])('"%s" decides nothing', (text) => {
    expect(toPlanDecision(text)).toBeNull();
  });

  it('the known words are exactly those that decide', () => {
    expect(KNOWN_PLAN_WORDS).toEqual(PLAN_WORDS.map(([word]) => word));
  });
});

describe('a word typed to a plan', () => {
  it.each([
    ['yes', 'clean_edit'],
    ['proceed', 'clean_edit'],
    ['no', 'adjust'],
    ['edit', 'adjust'],
    ['adjust', 'adjust'],
    ['reject', 'reject'],
    ['clean_edit', null],
    ['default', null],
    ['toString', null],
  ] as const)('"%s" means %s', (word, decision) => {
    expect(toPlanWord(word)).toBe(decision);
  });
});

describe('an approval', () => {
  it.each(APPROVAL_WORDS)('"%s" means %s', (word, decision) => {
    expect(toApprovalDecision(word)).toBe(decision);
  });

  it.each([...NOT_WORDS, 'edit', 'clean_edit', 'default', 'adjust'])('"%s" decides nothing', (text) => {
    expect(toApprovalDecision(text)).toBeNull();
  });
});

it('case and the space around a word do not count', () => {
  expect(normalize('\n  Clean Edit ')).toBe('clean edit');
  expect(toPlanDecision(' YES\n')).toBe('clean_edit');
  expect(toApprovalDecision('\tNo ')).toBe('deny');
});
