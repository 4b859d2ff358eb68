import fc from 'fast-check';
import type { Kind } from '../../packages/beckon/src/index.ts';
import { EFFECTS, type Effect } from '../../packages/beckon/src/protocol/rule.ts';
import { KINDS, TEXTS } from './catalogue.ts';

/** A call as fast-check draws it: numbers stand for things that exist only later, such as the n-th interaction. */
export type DrawnCall =
  | { call: 'ask'; node: number; kind: (typeof KINDS)[number]; chat: number; key: number; id: number; timeout: number }
  | { call: 'askGroup'; node: number; kinds: Kind[]; chat: number; key: number }
  | { call: 'answer'; node: number; target: number; choice: number; by: number }
  | { call: 'answerMany'; node: number; targets: number[]; choice: number; by: number }
  | { call: 'answerGroup'; node: number; group: number; choices: number[]; by: number }
  | { call: 'say'; node: number; chat: number; text: (typeof TEXTS)[number]; by: number }
  | { call: 'cancel' | 'supersede'; node: number; target: number; hasReason: boolean }
  | { call: 'cancelChat'; node: number; chat: number; hasReason: boolean }
  | { call: 'addRule' | 'editRule'; node: number; target: number; effect: Effect; chat: number; isWatch: boolean }
  | { call: 'removeRule'; node: number; target: number };

/** One thing that happens. */
export type Operation =
  | { do: 'call'; calls: DrawnCall[] }
  | { do: 'wait'; node: number; target: number }
  | { do: 'abort'; wait: number }
  | { do: 'read'; node: number; after: number }
  | { do: 'advance' | 'skip'; seconds: number }
  | { do: 'rush'; node: number; kind: (typeof KINDS)[number] }
  | { do: 'restart' | 'abandon'; node: number };

const node = fc.nat(1);
const chat = fc.nat(2);
const by = fc.nat(2);
const target = fc.nat(20);
const kind = fc.constantFrom(...KINDS);
// 0 stands for none, and half of all asks have neither a key nor an id of their own.
const seldom = fc.oneof(
  { weight: 2, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 3 }) },
);

const ask: fc.Arbitrary<DrawnCall> = fc.record({
  call: fc.constant('ask'),
  node,
  kind,
  chat,
  key: seldom,
  id: seldom,
  timeout: fc.constantFrom(0, 10, 60, 3600),
});
const askGroup: fc.Arbitrary<DrawnCall> = fc.record({
  call: fc.constant('askGroup'),
  node,
  kinds: fc.array(kind, { minLength: 1, maxLength: 3 }),
  chat,
  key: seldom,
});
const answerMany: fc.Arbitrary<DrawnCall> = fc.record({
  call: fc.constant('answerMany'),
  node,
  targets: fc.uniqueArray(target, { minLength: 1, maxLength: 4 }),
  choice: fc.nat(7),
  by,
});
const answerGroup: fc.Arbitrary<DrawnCall> = fc.record({
  call: fc.constant('answerGroup'),
  node,
  group: fc.nat(2),
  choices: fc.array(fc.nat(7), { minLength: 1, maxLength: 4 }),
  by,
});
const answer: fc.Arbitrary<DrawnCall> = fc.record({ call: fc.constant('answer'), node, target, choice: fc.nat(7), by });
const say: fc.Arbitrary<DrawnCall> = fc.record({
  call: fc.constant('say'),
  node,
  chat,
  text: fc.constantFrom(...TEXTS),
  by,
});
const endOne: fc.Arbitrary<DrawnCall> = fc.record({
  call: fc.constantFrom('cancel', 'supersede'),
  node,
  target,
  hasReason: fc.boolean(),
});
const endChat: fc.Arbitrary<DrawnCall> = fc.record({
  call: fc.constant('cancelChat'),
  node,
  chat,
  hasReason: fc.boolean(),
});

const putRule: fc.Arbitrary<DrawnCall> = fc.record({
  call: fc.constantFrom('addRule', 'editRule'),
  node,
  target: fc.nat(3),
  effect: fc.constantFrom(...EFFECTS),
  chat,
  isWatch: fc.nat(3).map((quarter) => quarter === 0),
});
const removeRule: fc.Arbitrary<DrawnCall> = fc.record({ call: fc.constant('removeRule'), node, target: fc.nat(3) });

// Approvals that are asked on both nodes while a rule comes or goes.
const ruled: fc.Arbitrary<DrawnCall[]> = fc
  .tuple(
    fc.oneof(putRule, removeRule),
    fc.array(ask, { minLength: 1, maxLength: 2 }),
    fc.array(fc.oneof(putRule, removeRule), { maxLength: 1 }),
  )
  .map(([first, asks, last]) => [
    first,
    ...asks.map((drawn) => ({ ...drawn, kind: 'approval', key: 0, id: 0 }) as DrawnCall),
    ...last,
  ]);

// The same target several times over is where answers meet.
const contest: fc.Arbitrary<DrawnCall[]> = fc
  .tuple(
    target,
    fc.array(fc.oneof({ weight: 4, arbitrary: answer }, { weight: 1, arbitrary: endOne }), {
      minLength: 2,
      maxLength: 4,
    }),
  )
  .map(([shared, calls]) => calls.map((drawn) => ({ ...drawn, target: shared }) as DrawnCall));

const anyCall = fc.oneof(
  { weight: 6, arbitrary: ask },
  { weight: 6, arbitrary: answer },
  { weight: 2, arbitrary: askGroup },
  { weight: 2, arbitrary: answerMany },
  { weight: 3, arbitrary: answerGroup },
  { weight: 3, arbitrary: say },
  { weight: 1, arbitrary: endOne },
  { weight: 1, arbitrary: endChat },
  { weight: 2, arbitrary: putRule },
  { weight: 1, arbitrary: removeRule },
);
const calls: fc.Arbitrary<Operation> = fc.record({
  do: fc.constant('call'),
  calls: fc.oneof(
    { weight: 3, arbitrary: fc.array(anyCall, { minLength: 1, maxLength: 1 }) },
    { weight: 2, arbitrary: fc.array(anyCall, { minLength: 2, maxLength: 4 }) },
    { weight: 2, arbitrary: contest },
    { weight: 2, arbitrary: ruled },
  ),
});

/** A life of a few minutes to hours, in random order. */
export const operations: fc.Arbitrary<Operation[]> = fc.array(
  fc.oneof(
    { weight: 14, arbitrary: calls },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), node, target }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('abort' as const), wait: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('read' as const), node, after: fc.nat(100) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constantFrom('advance' as const, 'skip' as const),
        seconds: fc.constantFrom(1, 9.999, 10, 50, 3600),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('rush' as const), node, kind }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('restart' as const, 'abandon' as const), node }) },
  ),
  { minLength: 10, maxLength: 50, size: 'max' },
);
