import { compareSamples, type Figure, type Section, type Target, type Unit } from '../figure.ts';
import type { Turn } from './agents-process.ts';
import type { Group } from './contenders.ts';
import type { Load, Measured } from './measure.ts';

/** One figure that every contender has. */
interface Column {
  name: string;
  unit: Unit;
  load: Load;
  pick(turn: Turn): number;
  /** What must hold, for contenders of these names. */
  targets?: Record<string, { beside: string; target: Target }>;
}

const COLUMNS: readonly Column[] = [
  {
    name: 'one at a time, p50',
    unit: 'ms',
    load: 1,
    pick: ({ p50Ms }) => p50Ms,
    targets: { 'beckon-connect': { beside: 'beckon', target: { of: 'ratio', atMost: 2 } } },
  },
  {
    name: '64 at once',
    unit: '/s',
    load: 64,
    pick: ({ perSecond }) => perSecond,
    targets: { 'beckon-connect': { beside: 'restate', target: { of: 'ratio', atLeast: 5 } } },
  },
  { name: '1,000 at once', unit: '/s', load: 1000, pick: ({ perSecond }) => perSecond },
  {
    name: 'processor time of each, 64 at once',
    unit: 'ms',
    load: 64,
    pick: ({ agentsMs, othersMs }) => agentsMs + othersMs,
  },
];

/** Whom the others of a group are compared with, if they have no target; the first that is there. */
const BESIDE: Record<Group, readonly string[]> = {
  durable: ['restate', 'beckon'],
  memory: ['express', 'coordinator'],
};

/** The figures as every benchmark has them: each contender beside one of its group, in the same run. */
export function toSections(measured: readonly Measured[]): Section[] {
  return (['durable', 'memory'] as const).flatMap((group) => {
    const members = measured.filter(({ contender }) => contender.group === group);
    const others = BESIDE[group].flatMap((name) => members.find(({ contender }) => contender.name === name) ?? []);
    const beside = others[0] ?? members[0];
    if (beside === undefined) return [];
    return COLUMNS.map((column) => ({
      name: `${group === 'durable' ? 'Durable' : 'In memory'}: ${column.name}`,
      figures: members.map((one) => compare(one, { column, beside, members })),
      notes: [],
    }));
  });
}

function compare(
  subject: Measured,
  { column, beside, members }: { column: Column; beside: Measured; members: readonly Measured[] },
): Figure {
  const { unit, load, pick, targets } = column;
  const wanted = targets?.[subject.contender.name];
  const target = members.find(({ contender }) => contender.name === wanted?.beside);
  const other = target ?? beside;
  return compareSamples({
    name: subject.contender.title,
    unit,
    samples: subject.turns[load].map(pick),
    beside: { name: other.contender.title, samples: other.turns[load].map(pick) },
    ...(wanted !== undefined && target !== undefined && { target: wanted.target }),
  });
}
