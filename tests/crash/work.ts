import type { AnswerInput, AskInput } from '../../packages/beckon/src/index.ts';
import type { Random } from '../harness/random.ts';

/** What the child says, each as soon as Beckon has acknowledged it. */
export type Told =
  | { type: 'ready' }
  | { type: 'open' }
  | { type: 'asked'; key: string; id: string }
  | { type: 'answered'; id: string; result: string; answer: unknown; who: string }
  | { type: 'ended'; id: string; status: 'cancelled' | 'superseded' }
  | { type: 'got'; id: string; status: string; answer: unknown };

/** A question of a random kind, with two answers that exclude each other. */
interface Task {
  readonly ask: AskInput;
  readonly answers: readonly [AnswerInput, AnswerInput];
}

const TASKS: readonly Task[] = [
  {
    ask: { kind: 'question', request: { question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] } },
    answers: [{ text: 'A' }, { text: 'B' }],
  },
  {
    ask: { kind: 'plan_review', request: { plan: 'x'.repeat(2000) } },
    answers: [{ decision: 'yes' }, { feedback: 'smaller' }],
  },
  {
    ask: { kind: 'approval', request: { tool: 'Bash', input: { command: 'make' } } },
    answers: [{ decision: 'allow' }, { decision: 'deny', message: 'no' }],
  },
  {
    ask: { kind: 'component', request: { components: [{ type: 'button' }] } },
    answers: [
      { action: 'click', data: 1 },
      { action: 'click', data: 2 },
    ],
  },
];

export function pickTask(random: Random): Task {
  return random.pick(TASKS);
}

/** Both answers to an interaction that was asked in an earlier life. */
export function answersFor(kind: AskInput['kind']): readonly [AnswerInput, AnswerInput] {
  const task = TASKS.find(({ ask }) => ask.kind === kind);
  if (task === undefined) throw new Error(`Nothing asks for a ${kind}`);
  return task.answers;
}
