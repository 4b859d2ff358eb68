// `npm run bench:rules`: how long rules take to decide, without a store. bench/README.md explains the figures.
import type { RuleBook } from '../../packages/beckon/src/core/rules.ts';
import type { Interaction } from '../../packages/beckon/src/protocol/interaction.ts';
import type { Rule } from '../../packages/beckon/src/protocol/rule.ts';
import { compileRules } from '../../packages/beckon/src/rules/rule-book.ts';
import {
  createBash,
  createEdit,
  createFetch,
  createRule,
  toCommands,
} from '../../packages/beckon/src/testing/harness/rules.ts';
import { compareSamples, type Figure, type Section } from '../figure.ts';
import { type BenchContext, runBench } from '../run-bench.ts';

interface Effort {
  rounds: number;
  /** Decisions of one turn. */
  decisions: number;
}

const AT = '2026-01-02T00:00:00.000Z';
const COUNTS = [0, 100, 10_000];

const CALLS: Readonly<Record<string, Interaction>> = {
  'a command that a rule allows': { ...createBash('npm run script-0 -- --run api'), sessionId: 'session-5' },
  'an edit that a rule allows': createEdit('src/part-1/total.ts'),
  'a page that a rule allows': createFetch('https://docs.host-3.example/guide'),
  'three commands that no rule names': createBash('git log --oneline | sort -u && cat package.json'),
  'a command that may be any': createBash('$tool --help'),
};

await runBench<Effort>({
  name: 'rules',
  parts: ['decide'],
  efforts: { full: { rounds: 15, decisions: 5000 }, quick: { rounds: 3, decisions: 500 } },
  run: runParts,
});

async function* runParts({ effort }: BenchContext<Effort>): AsyncGenerator<Section> {
  const books = COUNTS.map((count) => compileRules(createRules(count)));
  for (const book of books) for (const call of Object.values(CALLS)) measure(book, call, 500);
  yield {
    name: 'Deciding about one request, in process',
    figures: Object.entries(CALLS).flatMap(([name, call]) => compareCounts(books, name, call, effort)),
    notes: [
      'An eighth of the rules each: commands, files and hosts that are allowed or denied, sessions, MCP servers.',
    ],
  };
}

function compareCounts(books: readonly RuleBook[], name: string, call: Interaction, effort: Effort): Figure[] {
  const samples = books.map((): number[] => []);
  for (let round = 0; round < effort.rounds; round += 1) {
    for (const [index, book] of books.entries()) samples[index]?.push(measure(book, call, effort.decisions));
  }
  const [none = [], few = [], many = []] = samples;
  return [
    compareSamples({
      name: `${name}, 100 rules`,
      unit: 'ms',
      samples: few,
      beside: { name: 'no rules', samples: none },
    }),
    compareSamples({
      name: `${name}, 10,000 rules`,
      unit: 'ms',
      samples: many,
      beside: { name: '100 rules', samples: few },
      target: { of: 'value', atMost: 1 },
    }),
  ];
}

/** Milliseconds of one decision. */
function measure(book: RuleBook, call: Interaction, decisions: number): number {
  const startedAt = performance.now();
  for (let left = decisions; left > 0; left -= 1) book.decide(call, AT);
  return (performance.now() - startedAt) / decisions;
}

function createRules(count: number): Rule[] {
  return Array.from({ length: count }, (_, index) => {
    const kinds: readonly Partial<Rule>[] = [
      { match: toCommands(`npm run script-${index} …`) },
      { tool: 'Edit', match: { path: `src/part-${index}/**` } },
      { effect: 'deny', match: toCommands(`tool-${index} …`) },
      { tool: 'WebFetch', match: { domain: `*.host-${index}.example` } },
      { effect: 'ask', tool: '*', match: { path: `**/secret-${index}.key` } },
      { match: toCommands('npm test …'), scope: { sessionId: `session-${index}` } },
      { effect: 'deny', tool: `mcp__server-${index}__*` },
      { effect: 'deny', tool: '*', match: { domain: `host-${index}.example` } },
    ];
    return createRule({ id: `rul_${index}`, ...kinds[index % kinds.length] });
  });
}
