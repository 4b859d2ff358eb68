import { expect, test } from 'vitest';
import type { Interaction, InteractionOf } from '../protocol/interaction.ts';
import type { Rule } from '../protocol/rule.ts';
import { answer, askFor, askToRun, WEBSHOP } from '../testing/harness/approvals.ts';
import { matchRule } from './match-rule.ts';
import { toRuleText } from './rule-text.ts';
import { type SuggestOptions, suggest } from './suggest.ts';

const NOTHING: SuggestOptions = { rules: [], dismissed: new Set(), at: '2026-02-01T00:00:00.000Z' };
const HERE = 'in webshop (/home/ada/webshop)';
const allowed = (...commands: string[]): Interaction[] => commands.map((command) => answer(askToRun(command), 'allow'));
const times = (count: number, command: string): Interaction[] =>
  allowed(...Array.from({ length: count }, () => command));
const sentences = (items: Interaction[], options: Partial<SuggestOptions> = {}): string[] =>
  suggest(items, { ...NOTHING, ...options }).map(({ sentence }) => sentence);
const toRule = (draft: Partial<Rule>): Rule => ({
  effect: 'allow',
  tool: 'Bash',
  scope: {},
  mode: 'on',
  examples: { match: [], notMatch: [] },
  id: 'rul_1',
  createdBy: 'ada',
  createdAt: '2026-01-01T00:00:00.000Z',
  ...draft,
});

test('suggests what people allowed five times, as the narrowest rule that covers it', () => {
  expect(sentences(times(5, 'npm test'))).toEqual([`Allow exactly \`npm test\`, ${HERE}.`]);
  expect(sentences(times(4, 'npm test'))).toEqual([]);
  const varied = ['npm test -- a', 'npm test -- b', 'npm test', 'npm test -- c', 'npm test -- d'];
  expect(sentences(allowed(...varied))).toEqual([`Allow \`npm test\` with any arguments, ${HERE}.`]);
});

test('the preview says what it would have decided', () => {
  const [first] = suggest([...times(6, 'npm test'), askToRun('npm test')], NOTHING);
  expect(first?.preview).toMatchObject({ checked: 7, matched: 7, contradictions: [] });
  expect(first?.key).toContain('"words":["npm","test"]');
});

test('never suggests what a person denied, or allowed only after changing it', () => {
  const denied = answer(askToRun('npm test -- --watch'), 'deny');
  const changed = answer(askToRun('npm test -- --watch'), 'allow', { answer: { decision: 'allow', updatedInput: {} } });
  const varied = allowed('npm test', 'npm test -- a', 'npm test -- b', 'npm test -- c', 'npm test -- d');
  for (const said of [denied, changed]) {
    expect(sentences([said, ...varied])).toEqual([]);
    // The exact command was never denied.
    expect(sentences([said, ...varied, ...times(4, 'npm test')])).toEqual([`Allow exactly \`npm test\`, ${HERE}.`]);
  }
});

test('only what people said counts, not what a rule did', () => {
  const byRule = { answeredBy: { who: 'ada', via: 'rule:rul_1', kind: 'rule' as const } };
  const items = Array.from({ length: 9 }, () => answer(askToRun('npm test'), 'allow', byRule));
  expect(sentences([...items, askToRun('npm test')])).toEqual([]);
});

test('suggests nothing that a rule decides or asks about already', () => {
  const items = times(9, 'npm test');
  const commands = [{ words: ['npm'], rest: 'any' as const }];
  const exact = [{ words: ['npm', 'test'], rest: 'none' as const }];
  expect(sentences(items, { rules: [toRule({ match: { commands: exact } })] })).toEqual([]);
  expect(sentences(items, { rules: [toRule({ effect: 'ask', match: { commands } })] })).toEqual([]);
  expect(sentences(items, { rules: [toRule({ effect: 'deny', match: { commands } })] })).toEqual([]);
  // One that is in watch, has stopped or has ended decides nothing.
  const idle: Partial<Rule>[] = [
    { mode: 'watch' },
    { stopped: { at: '', why: '' } },
    { until: '2026-01-31T00:00:00.000Z' },
  ];
  for (const state of idle) {
    expect(sentences(items, { rules: [toRule({ match: { commands: exact }, ...state })] })).toHaveLength(1);
  }
});

test('a dismissed one does not come back, in no width', () => {
  const items = times(9, 'npm test');
  const [exact] = suggest(items, NOTHING);
  expect(suggest(items, { ...NOTHING, dismissed: new Set([exact!.key]) })).toEqual([]);
  expect(suggest([...items, ...times(5, 'ls')], { ...NOTHING, dismissed: new Set([exact!.key]) })).toHaveLength(1);
});

test('those that save most come first, at most five, and none repeats another', () => {
  const items = [
    ...times(7, 'npm run lint'),
    ...allowed('npm test', 'npm test -- a', 'npm test -- b', 'npm test -- c', 'npm test -- d', 'npm test -- e'),
    ...times(20, 'npm test'),
    ...['git status', 'cargo test', 'tsc --noEmit', 'go vet'].flatMap((command) => times(5, command)),
  ];
  const found = suggest(items, NOTHING);
  expect(found).toHaveLength(5);
  expect(found[0]?.sentence).toBe(`Allow \`npm test\` with any arguments, ${HERE}.`);
  expect(found[1]?.sentence).toBe(`Allow exactly \`npm run lint\`, ${HERE}.`);
  const hits = items.map((item) => found.filter(({ draft }) => matchRule(toRuleText(draft), item).matches).length);
  expect(Math.max(...hits)).toBe(1);
});

test('suggests nothing much wider than what was asked', () => {
  const tools = ['list_issues', 'get_issue', 'list_pulls', 'get_pull', 'search', 'get_me'];
  expect(sentences(tools.map((tool) => answer(askFor(`mcp__github__${tool}`, {}), 'allow')))).toEqual([]);
  const session = suggest(times(9, 'npm test'), NOTHING);
  expect(session.every(({ draft }) => draft.until === undefined)).toBe(true);
  const text = 'x'.repeat(3000);
  const long = Array.from({ length: 5 }, () => answer(askFor('deploy', { text }), 'allow'));
  expect(sentences(long)).toEqual([`Allow the tool \`deploy\`, ${HERE}.`]);
});

test('edits of several files become their folder', () => {
  const edits = ['a', 'b', 'c', 'd', 'e'].map((name) =>
    answer(askFor('Edit', { file_path: `${WEBSHOP}/src/cart/${name}.ts` }), 'allow'),
  );
  expect(sentences(edits)).toEqual([`Allow edits under \`src/cart/\`, ${HERE}.`]);
});

test('five thousand different requests are looked through without comparing each with each', () => {
  const items: InteractionOf<'approval'>[] = Array.from({ length: 5000 }, (_, index) =>
    answer(askToRun(`npm run task${index % 900} -- --only ${index}`), index % 50 === 0 ? 'deny' : 'allow'),
  );
  expect(suggest(items, NOTHING)).toHaveLength(5);
});

test('suggests nothing dangerous, however often people allowed it', () => {
  expect(sentences([...times(20, 'git push --force'), ...times(20, 'rm -rf /')])).toEqual([]);
});
