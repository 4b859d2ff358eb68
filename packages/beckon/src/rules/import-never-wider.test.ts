import { expect, test } from 'vitest';
import { EFFECTS, type Effect, type Rule } from '../protocol/rule.ts';
import { askToRun } from '../testing/harness/approvals.ts';
import { importClaudeCode } from './import-claude-code.ts';
import { importCodex } from './import-codex.ts';
import { importOpencode } from './import-opencode.ts';
import type { Imported } from './imported.ts';
import { compileRules } from './rule-book.ts';
import { toRuleText } from './rule-text.ts';

// Each agent's own way of deciding is written here once more, as its documentation says it, and compared with what
// Beckon does with the imported rules, on random rules and every short command.

const WORDS = ['npm', 'test', 'lint', 'a'];
const COMMANDS = [
  'npm',
  ...WORDS.map((one) => `npm ${one}`),
  ...WORDS.flatMap((one) => WORDS.map((two) => `npm ${one} ${two}`)),
  ...WORDS.flatMap((one) => WORDS.map((two) => `npm ${one} && npm ${two}`)),
  'lint a',
  'lint',
];
const ROUNDS = 200;

/** Numbers from 0 to 1 that are the same each time. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

function pick<Item>(random: () => number, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)] as Item;
}

/** A pattern of a few words, often with a star. */
function toPattern(random: () => number): string {
  const words = [
    'npm',
    ...Array.from({ length: Math.floor(random() * 3) }, () => pick(random, [...WORDS, '*', 't*', '*t'])),
  ];
  return words.join(' ') + pick(random, ['', '', ' *', ' *', '*']);
}

/** Whether a text matches a pattern with stars; ` *` at the end may stand for nothing. */
function matches(pattern: string, text: string): boolean {
  const toRegex = (one: string): RegExp => new RegExp(`^${one.replaceAll('*', '.*')}$`);
  return toRegex(pattern).test(text) || (pattern.endsWith(' *') && toRegex(pattern.slice(0, -2)).test(text));
}

function decide({ drafts }: Imported): (command: string) => Effect {
  const rules = drafts.map(
    ({ draft }, index): Rule => ({
      ...toRuleText(draft),
      mode: 'on',
      id: `rule_${index}`,
      createdBy: 'ada',
      createdAt: '2026-01-01T00:00:00.000Z',
    }),
  );
  const book = compileRules(rules);
  return (command) => book.decide(askToRun(command), '2026-01-01T00:00:00.000Z').effect ?? 'ask';
}

/** The strictest of what the parts of a text get. */
function strictest(command: string, decidePart: (part: string) => Effect): Effect {
  const effects = command.split(' && ').map(decidePart);
  return EFFECTS.find((effect) => effects.includes(effect)) ?? 'ask';
}

/** Compares on every command, and counts how much was allowed at all: nothing allowed would prove nothing. */
function compare(imported: Imported, theirs: (part: string) => Effect): { wider: string[]; allowed: number } {
  const ours = decide(imported);
  const allowed = COMMANDS.filter((command) => ours(command) === 'allow');
  return { wider: allowed.filter((command) => strictest(command, theirs) !== 'allow'), allowed: allowed.length };
}

test('what is imported from Claude Code allows nothing that Claude Code would not', () => {
  const random = createRandom(1);
  let allowed = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const lists = { deny: [] as string[], ask: [] as string[], allow: [] as string[] };
    for (let count = 0; count < 6; count += 1)
      lists[pick(random, ['deny', 'ask', 'allow', 'allow', 'allow'] as const)].push(toPattern(random));
    const permissions = Object.fromEntries(
      EFFECTS.map((effect) => [effect, lists[effect].map((one) => `Bash(${one})`)]),
    );
    const theirs = (part: string): Effect =>
      EFFECTS.find((effect) => lists[effect].some((pattern) => matches(pattern, part))) ?? 'ask';
    const result = compare(importClaudeCode(JSON.stringify({ permissions })), theirs);
    expect({ permissions, wider: result.wider }).toEqual({ permissions, wider: [] });
    allowed += result.allowed;
  }
  expect(allowed).toBeGreaterThan(ROUNDS);
});

test('what is imported from opencode allows nothing that opencode would not', () => {
  const random = createRandom(2);
  let allowed = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const bash: Record<string, Effect> = {};
    if (random() < 0.5) bash['*'] = pick(random, EFFECTS);
    for (let count = 0; count < 5; count += 1)
      bash[toPattern(random)] = pick(random, ['deny', 'ask', 'allow', 'allow']);
    const theirs = (part: string): Effect =>
      Object.entries(bash).findLast(([pattern]) => matches(pattern, part))?.[1] ?? 'ask';
    const result = compare(importOpencode(JSON.stringify({ permission: { bash } })), theirs);
    expect({ bash, wider: result.wider }).toEqual({ bash, wider: [] });
    allowed += result.allowed;
  }
  expect(allowed).toBeGreaterThan(ROUNDS);
});

test('what is imported from Codex allows nothing that Codex would not', () => {
  const random = createRandom(3);
  const DECISIONS = { deny: 'forbidden', ask: 'prompt', allow: 'allow' } as const;
  let allowed = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const rules = Array.from({ length: 5 }, () => ({
      words: [
        'npm',
        ...Array.from({ length: 1 + Math.floor(random() * 2) }, () =>
          random() < 0.3 ? WORDS.slice(1, 3) : pick(random, WORDS),
        ),
      ],
      effect: pick(random, ['deny', 'ask', 'allow', 'allow'] as const),
      isLoop: random() < 0.03,
    }));
    const text = rules
      .map(
        ({ words, effect, isLoop }) =>
          `${isLoop ? '[' : ''}prefix_rule(pattern=${JSON.stringify(words)}, decision="${DECISIONS[effect]}")${isLoop ? ']' : ''}`,
      )
      .join('\n');
    const theirs = (part: string): Effect => {
      const given = part.split(' ');
      const found = rules.filter(({ words }) =>
        words.every((word, index) => [word].flat().includes(given[index] ?? '')),
      );
      return EFFECTS.find((effect) => found.some((rule) => rule.effect === effect)) ?? 'ask';
    };
    const result = compare(importCodex(text), theirs);
    expect({ text, wider: result.wider }).toEqual({ text, wider: [] });
    allowed += result.allowed;
  }
  expect(allowed).toBeGreaterThan(ROUNDS);
});
