import { join } from 'node:path';
import type { Rule } from '../../packages/beckon/src/protocol/rule.ts';
import type { LocalBeckon } from '../../packages/beckon/src/runtime/local-beckon.ts';
import type { SqlStore } from '../../packages/beckon/src/store/sql-store.ts';
import { openSqliteDriver } from '../../packages/beckon/src/store/sqlite/sqlite-driver.ts';
import { compareSamples, type Figure, type Section } from '../figure.ts';
import type { Effort } from './effort.ts';
import { openOn } from './open.ts';
import { createIds } from './workload.ts';

const COUNTS = [0, 100, 10_000] as const;
const AT_ONCE = [1, 64];
const CREATED_AT = '2026-01-01T00:00:00.000Z';
const CONTEXT = { project: 'webshop', folder: '/home/ada/webshop', branch: 'main' };

/** A store with its rules. */
interface Ruled {
  count: number;
  beckon: LocalBeckon;
  store: SqlStore;
}

/**
 * Asks of approvals in process, each on disk before it is acknowledged: with no rules, a hundred and ten thousand, in
 * turns. Of the commands, one is decided by a rule, and one by none.
 */
export async function benchRules(folder: string, effort: Effort): Promise<Section> {
  const stores: Ruled[] = [];
  for (const count of COUNTS) {
    const { beckon, store } = await openOn(openSqliteDriver(join(folder, `rules-${count}.db`)), { newId: createIds() });
    await Promise.all(Array.from({ length: count }, (_, index) => store.rules.add(toRule(index))));
    stores.push({ count, beckon, store });
  }
  try {
    return {
      name: 'Asks of approvals on SQLite, beside those of a store without rules',
      figures: [
        ...(await compareAsks(stores, effort, 'npm run undecided', 'no rule matches')),
        ...(await compareAsks(stores, effort, 'npm run script-1', 'decided by a rule')),
        await compareReads(stores, effort),
      ],
      notes: ['Without rules, all of them stay pending.'],
    };
  } finally {
    await Promise.all(stores.map(({ beckon }) => beckon.close()));
  }
}

async function compareAsks(stores: readonly Ruled[], effort: Effort, command: string, what: string): Promise<Figure[]> {
  const { rounds, sliceMs } = effort;
  const figures: Figure[] = [];
  for (const { beckon } of stores) await measureAsks(beckon, command, { atOnce: 64, sliceMs: Math.min(500, sliceMs) });
  for (const atOnce of AT_ONCE) {
    const samples = stores.map((): number[] => []);
    for (let round = 0; round < rounds; round += 1) {
      for (const turn of stores.keys()) {
        const index = (turn + round) % stores.length;
        const { beckon } = stores[index] as Ruled;
        samples[index]?.push(await measureAsks(beckon, command, { atOnce, sliceMs }));
      }
    }
    for (const [index, { count }] of stores.entries()) {
      if (count === 0) continue;
      figures.push(
        compareSamples({
          name: `${what}, ${count.toLocaleString('en')} rules, ${atOnce} at once`,
          unit: '/s',
          samples: samples[index] ?? [],
          beside: { name: 'no rules', samples: samples[0] ?? [] },
        }),
      );
    }
  }
  return figures;
}

/** The first ask after a change of a rule: it reads the rules. */
async function compareReads(stores: readonly Ruled[], { rounds }: Effort): Promise<Figure> {
  const samples = stores.map((): number[] => []);
  const rule = toRule(2);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, { count, beckon, store }] of stores.entries()) {
      if (count === 0) continue;
      await store.rules.remove({ id: rule.id, by: 'ada', at: CREATED_AT });
      const startedAt = performance.now();
      await ask(beckon, 'npm run undecided');
      samples[index]?.push(performance.now() - startedAt);
      await store.rules.add(rule);
    }
  }
  return compareSamples({
    name: 'the first ask after a change, 10,000 rules',
    unit: 'ms',
    samples: samples[2] ?? [],
    beside: { name: '100 rules', samples: samples[1] ?? [] },
  });
}

async function measureAsks(
  beckon: LocalBeckon,
  command: string,
  { atOnce, sliceMs }: { atOnce: number; sliceMs: number },
): Promise<number> {
  const startedAt = performance.now();
  let asked = 0;
  const run = async (): Promise<void> => {
    do {
      await ask(beckon, command);
      asked += 1;
    } while (performance.now() < startedAt + sliceMs);
  };
  await Promise.all(Array.from({ length: atOnce }, run));
  return (asked / (performance.now() - startedAt)) * 1000;
}

async function ask(beckon: LocalBeckon, command: string): Promise<void> {
  const request = { tool: 'Bash', input: { command, description: 'Runs a script of the project' } };
  await beckon.ask({ kind: 'approval', request, context: CONTEXT });
}

/** Rules of every sort, as many people would make them for many projects. */
function toRule(index: number): Rule {
  const shared = {
    id: `rul_${String(index).padStart(6, '0')}`,
    mode: 'on' as const,
    examples: { match: [], notMatch: [] },
    createdBy: `person-${index % 20}`,
    createdAt: CREATED_AT,
  };
  const scope = index % 3 === 0 ? { project: `project-${index % 50}` } : {};
  const words = ['npm', 'run', `script-${index}`];
  switch (index % 10) {
    case 5:
    case 6:
      return { ...shared, effect: 'allow', tool: 'Edit', match: { path: `src/module-${index}/**` }, scope };
    case 7:
      return { ...shared, effect: 'allow', tool: 'WebFetch', match: { domain: `docs-${index}.example.com` }, scope };
    case 8:
      return { ...shared, effect: 'allow', tool: `mcp__server-${index}__*`, scope };
    case 9: {
      const effect = index % 20 === 9 ? 'deny' : 'ask';
      return {
        ...shared,
        effect,
        tool: 'Bash',
        match: { commands: [{ words: [`tool-${index}`], rest: 'any' }] },
        scope,
      };
    }
    default: {
      const commands = [{ words, rest: 'any' as const }];
      return { ...shared, effect: 'allow', tool: 'Bash', match: { commands }, scope: index === 1 ? {} : scope };
    }
  }
}
