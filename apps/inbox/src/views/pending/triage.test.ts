import { groupPending } from 'beckon/presentation';
import type { Interaction } from 'beckon/protocol';
import { describe, expect, test } from 'vitest';
import { describeBulk } from './bulk-summary.ts';
import { countFacets } from './facets.ts';
import { filterProjects, isFiltering, NO_FILTER, type PendingFilter } from './filter-pending.ts';
import { findFollowing } from './following.ts';
import { findShift, toLines, toPlaced, toTops } from './lines.ts';
import { toSnoozeChoices } from './snooze-choices.ts';
import { StableOrder } from './stable-order.ts';

function ask(id: string, second: number, more: object = {}): Interaction {
  return {
    id,
    chatId: 'default',
    status: 'pending',
    awaitingFeedback: false,
    createdAt: `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`,
    kind: 'approval',
    request: { tool: 'Bash', input: { command: `npm run task-${id}` } },
    askedBy: 'laptop',
    ...more,
  } as Interaction;
}

const SHOP = { project: 'webshop', branch: 'main', title: 'Convert the cart', agent: 'Claude Code' };
const API = { project: 'api', branch: 'next' };
/** The second is not assessed yet. */
const LEVELS = new Map([
  ['a', 'routine'],
  ['c', 'dangerous'],
  ['d', 'notable'],
] as const);
const QUESTION = { kind: 'question', request: { question: 'Which database?', options: [] } };
const ITEMS = [
  ask('a', 1, { sessionId: 's1', context: SHOP }),
  ask('b', 2, { sessionId: 's1', context: SHOP, expiresAt: '2026-01-01T01:00:00.000Z' }),
  ask('c', 3, { sessionId: 's2', context: { ...SHOP, title: 'Add tests' } }),
  ask('d', 4, { sessionId: 's3', context: API, askedBy: 'intruder' }),
  ask('q1', 5, { ...QUESTION, context: API, groupId: 'g', metadata: { step: 1, steps: 2 }, sessionId: 's3' }),
  ask('q2', 5, { ...QUESTION, context: API, groupId: 'g', metadata: { step: 2, steps: 2 }, sessionId: 's3' }),
];
const PROJECTS = groupPending(ITEMS);
const NONE: ReadonlySet<string> = new Set();

describe('the lines of the list', () => {
  const toShort = (folded: ReadonlySet<string>): string[] =>
    toLines(PROJECTS, folded).map((line) => {
      if (line.type === 'project') return `${line.isFolded ? '>' : 'v'} ${line.project.name} ${line.project.count}`;
      if (line.type === 'session') return `${line.isFolded ? '>' : 'v'} (${line.title})`;
      return `${line.place} ${line.key}${line.isForeign ? ' foreign' : ''}`;
    });

  test('are projects, sessions and requests; one untitled session needs no heading', () => {
    expect(toShort(NONE)).toEqual([
      'v webshop 3',
      'v (Convert the cart)',
      '0 a',
      '1 b',
      'v (Add tests)',
      '2 c',
      'v api 2',
      '3 d',
      '4 q1 foreign',
    ]);
  });

  test('leave out what is folded, but not its heading', () => {
    const [shop, api] = PROJECTS;
    expect(toShort(new Set([shop?.key ?? '']))).toEqual(['> webshop 3', 'v api 2', '0 d', '1 q1 foreign']);
    expect(toShort(new Set([shop?.sessions[0]?.key ?? '', api?.key ?? '']))).toEqual([
      'v webshop 3',
      '> (Convert the cart)',
      'v (Add tests)',
      '0 c',
      '> api 2',
    ]);
    expect(toPlaced(PROJECTS, new Set([shop?.key ?? ''])).map(({ entry }) => entry.interaction.id)).toEqual([
      'd',
      'q1',
    ]);
  });
});

test('a group keeps its place while its oldest request is decided, and new groups come last', () => {
  const order = new StableOrder();
  const arrange = (items: readonly Interaction[]): string[] =>
    order
      .arrange(groupPending(items))
      .flatMap(({ name, sessions }) => [name, ...sessions.map(({ sessionId }) => `${sessionId}`)]);
  const late = ask('e', 6, { sessionId: 's1', context: SHOP });
  expect(arrange([...ITEMS, late])).toEqual(['webshop', 's1', 's2', 'api', 's3']);
  const left = [late, ...ITEMS.filter(({ id }) => id === 'd')];
  expect(arrange([...left, ask('f', 7, { context: { project: 'aaa' } })])).toEqual([
    'webshop',
    's1',
    'api',
    's3',
    'aaa',
    'undefined',
  ]);
  // What was gone for a while starts again at the end.
  expect(arrange([ask('f', 7, { context: { project: 'aaa' } })])).toEqual(['aaa', 'undefined']);
  expect(arrange([ask('f', 7, { context: { project: 'aaa' } }), late])).toEqual(['aaa', 'undefined', 'webshop', 's1']);
});

describe('the lines in sight stay in place', () => {
  const HEIGHTS = { project: 10, session: 10, entry: 20 };
  const lay = (items: readonly Interaction[]) => {
    const lines = toLines(groupPending(items), NONE);
    return { lines, tops: toTops(lines, HEIGHTS) };
  };
  const plain = [2, 3, 4, 5].map((second) => ask(`x${second}`, second));

  test.each([
    ['a line that came above pushes them down', plain, [ask('x1', 1), ...plain], 30, 20],
    ['a line that came below moves nothing', plain, [...plain, ask('x6', 6)], 30, 0],
    ['lines that went above pull them up', plain, plain.slice(2), 55, -40],
    ['the next takes the place of the one that went', plain, plain.filter(({ id }) => id !== 'x3'), 30, 0],
    ['nothing moves if nothing is left', plain, [ask('y', 9, { askedBy: 'other' })], 30, 0],
  ])('%s', (_, before, after, scrollTop, shift) => {
    expect(findShift(lay(before), lay(after), scrollTop)).toBe(shift);
  });
});

describe('after a decision comes', () => {
  const placed = toPlaced(PROJECTS, NONE);
  const placeOf = (id: string) => {
    const index = placed.findIndex(({ entry }) => entry.interaction.id === id);
    const { session = '', project = '' } = placed[index] ?? {};
    return { index, session, project };
  };
  const without = (...ids: string[]) => placed.filter(({ entry }) => !ids.includes(entry.interaction.id));

  test.each([
    ['the next of the session', without('a'), 'a', 0, 'b'],
    ['the first of the session, at its end', without('b'), 'b', 1, 'a'],
    ['else one of the project', without('a', 'b'), 'b', 0, 'c'],
    ['else the next in the list', without('a', 'b', 'c'), 'c', 0, 'd'],
    ['nothing, if nothing is left', [], 'a', 0, null],
  ])('%s', (_, left, id, index, next) => {
    expect(findFollowing(left, id, { ...placeOf(id), index })).toBe(next);
  });

  test('another request, not another question of the same call', () => {
    expect(findFollowing(placed, 'q1', placeOf('q1'))).toBe('d');
    expect(findFollowing(placed, 'q2', placeOf('q1'))).toBe('d');
  });

  test('the next of the session even while the decided one is still listed', () => {
    expect(findFollowing(placed, 'a', null)).toBe('b');
    expect(findFollowing(placed, 'gone', null)).toBe('a');
  });
});

describe('a filter', () => {
  const shown = (filter: object): string[] =>
    filterProjects(PROJECTS, { ...NO_FILTER, ...filter }, LEVELS).flatMap(({ sessions }) =>
      sessions.flatMap(({ entries }) => entries.map(({ interaction }) => interaction.id)),
    );

  test.each([
    ['nothing', {}, ['a', 'b', 'c', 'd', 'q1']],
    ['words of the headline', { text: 'run TASK-C' }, ['c']],
    ['a word of a question', { text: 'database' }, ['q1']],
    ['the project and the branch', { text: 'api next' }, ['d', 'q1']],
    ['the title of the session', { text: 'add tests' }, ['c']],
    ['the tool', { text: 'bash' }, ['a', 'b', 'c', 'd']],
    ['nothing that is there', { text: 'unicorn' }, []],
    ['a kind', { kinds: new Set(['question' as const]) }, ['q1']],
    ['a project', { projects: new Set(['api']) }, ['d', 'q1']],
    ['an agent', { agents: new Set(['Claude Code']) }, ['a', 'b', 'c']],
    ['an agent that only a token names', { agents: new Set(['intruder']) }, ['d']],
    ['a deadline', { hasDeadline: true }, ['b']],
    ['a risk', { risks: new Set(['dangerous' as const]) }, ['c']],
    ['two risks', { risks: new Set(['dangerous' as const, 'notable' as const]) }, ['c', 'd']],
    ['what is known to be routine', { risks: new Set(['routine' as const]) }, ['a']],
    ['a risk as a word', { text: 'Dangerous' }, ['c']],
    ['several at once', { kinds: new Set(['approval' as const]), projects: new Set(['api']) }, ['d']],
  ] as [string, Partial<PendingFilter>, string[]][])('for %s', (_, filter, ids) => {
    expect(shown(filter)).toEqual(ids);
    expect(isFiltering({ ...NO_FILTER, ...filter })).toBe(Object.keys(filter).length > 0);
  });

  test('says how many each choice would show', () => {
    expect(countFacets(PROJECTS, LEVELS)).toEqual({
      kinds: [
        { value: 'approval', count: 4 },
        { value: 'question', count: 1 },
      ],
      risks: [
        { value: 'dangerous', count: 1 },
        { value: 'notable', count: 1 },
        { value: 'routine', count: 1 },
      ],
      projects: [
        { value: 'webshop', count: 3 },
        { value: 'api', count: 2 },
      ],
      agents: [
        { value: 'Claude Code', count: 3 },
        { value: 'intruder', count: 1 },
        { value: 'laptop', count: 1 },
      ],
      deadlines: 1,
    });
  });
});

test('a riskier request stands first, but the heading names who has waited longest', () => {
  const items = [
    ask('a', 1, { sessionId: 's1', context: SHOP }),
    ask('b', 2, { sessionId: 's1', context: SHOP, askedBy: 'intruder' }),
    ask('c', 3, { sessionId: 's1', context: SHOP }),
  ];
  const levels = new Map([
    ['b', 'dangerous'],
    ['c', 'notable'],
  ] as const);
  const projects = groupPending(items, { riskOf: ({ id }) => levels.get(id as 'b') ?? 'routine' });
  expect(toPlaced(projects, new Set()).map(({ entry }) => entry.interaction.id)).toEqual(['b', 'c', 'a']);
  const lines = toLines(projects, new Set());
  expect(lines.flatMap((line) => (line.type === 'entry' && line.isForeign ? [line.key] : []))).toEqual(['b']);
});

test('what came of one decision about several is said in words', () => {
  const bob = { answeredBy: { who: 'bob', via: 'inbox', kind: 'person' } } as Interaction;
  const toResult = (result: 'accepted' | 'repeated' | 'lost' | 'late' | 'unknown') => ({
    result,
    interaction: result === 'unknown' ? null : bob,
  });
  expect(describeBulk([toResult('accepted'), toResult('repeated'), toResult('lost')], 'allow')).toBe(
    '2 allowed, 1 had already been answered by bob in the inbox',
  );
  expect(describeBulk([toResult('late'), toResult('unknown')], 'deny')).toBe(
    '1 had already ended, 1 no longer existed',
  );
  expect(describeBulk([toResult('accepted')], 'deny')).toBe('1 denied');
});

test('a request can be put aside for a while, or until tomorrow morning', () => {
  const now = new Date(2026, 0, 31, 18, 30);
  expect(toSnoozeChoices(now).map(({ until }) => until)).toEqual([
    new Date(2026, 0, 31, 18, 45),
    new Date(2026, 0, 31, 19, 30),
    new Date(2026, 0, 31, 22, 30),
    new Date(2026, 1, 1, 9, 0),
  ]);
});
