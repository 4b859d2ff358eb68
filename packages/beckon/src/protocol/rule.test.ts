import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { RuleChange, RuleDraft, RuleSample, toRuleEnd } from './rule.ts';
import { DismissBody } from './rules-http.ts';

const DRAFT = { effect: 'allow', tool: 'Bash' } as const;

test('what a draft does not name has its usual value', () => {
  const match = { commands: [{ words: ['npm', ['test', 't']] }] };
  expect(z.parse(RuleDraft, { ...DRAFT, match })).toEqual({
    ...DRAFT,
    match: { commands: [{ words: ['npm', ['test', 't']], rest: 'none' }] },
    scope: {},
    mode: 'on',
    examples: { match: [], notMatch: [] },
  });
});

test.each([
  ['no effect', { tool: 'Bash' }],
  ['no words', { ...DRAFT, match: { commands: [{ words: [] }] } }],
  ['a word without a choice', { ...DRAFT, match: { commands: [{ words: [[]] }] } }],
  ['too many words', { ...DRAFT, match: { commands: [{ words: Array.from({ length: 33 }, () => 'a') }] } }],
  ['two ways to match', { ...DRAFT, match: { path: 'src/**', domain: 'example.com' } }],
  ['a folder that is not absolute', { ...DRAFT, scope: { folder: 'webshop' } }],
  ['an end that is no time', { ...DRAFT, until: 'tomorrow' }],
  ['an unknown field', { ...DRAFT, tools: ['Bash'] }],
])('refuses %s', (_, draft) => {
  expect(z.safeParse(RuleDraft, draft).success).toBe(false);
});

test.each(['2026-01-31T12:00:00Z', '30m', 60])('a rule may end %j', (until) => {
  expect(z.safeParse(RuleDraft, { ...DRAFT, until, scope: { folder: 'C:\\webshop' } }).success).toBe(true);
});

test('a rule ends at a time, or after a while', () => {
  expect(toRuleEnd('2026-01-31T12:00:00Z', 0)).toBe(Date.parse('2026-01-31T12:00:00Z'));
  expect(toRuleEnd('30m', 1000)).toBe(1000 + 30 * 60_000);
});

test('a change has nothing but what it names, and may remove every field', () => {
  expect(z.parse(RuleChange, {})).toEqual({});
  expect(z.parse(RuleChange, { mode: 'watch' })).toEqual({ mode: 'watch' });
  const nothing = { effect: null, tool: null, match: null, scope: null, mode: null, examples: null, reason: null };
  expect(z.parse(RuleChange, { ...nothing, until: null })).toEqual({ ...nothing, until: null });
  for (const change of [{ mode: 'off' }, { tools: null }, { until: 'tomorrow' }, { scope: { folder: 'x' } }]) {
    expect(z.safeParse(RuleChange, change).success).toBe(false);
  }
});

test('a sample is asked in the usual chat, and needs a tool', () => {
  const request = { tool: 'Bash', input: { command: 'ls' } };
  expect(z.parse(RuleSample, { request })).toEqual({ request, chatId: 'default' });
  for (const sample of [
    {},
    { request: { tool: '', input: {} } },
    { request: { tool: 'Bash' } },
    { request, kind: 'x' },
  ]) {
    expect(z.safeParse(RuleSample, sample).success).toBe(false);
  }
});

test('the key of a suggestion is neither empty nor endless', () => {
  expect(z.safeParse(DismissBody, { key: 'x'.repeat(2000) }).success).toBe(true);
  for (const key of ['', 'x'.repeat(2001)]) expect(z.safeParse(DismissBody, { key }).success).toBe(false);
});
