import type { Beckon } from '../core/beckon.ts';
import type { AnswerInput } from '../protocol/answers.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { Interaction, Kind } from '../protocol/interaction.ts';

/** One line of a script: which requests it is for, and the answer. */
export interface ScriptLine {
  /** Fields that the request must have, or a function that decides. Default: every request. */
  when?: { kind?: Kind; chatId?: string; sessionId?: string } | ((request: Interaction) => boolean);
  /** The answer, or a function that gives it. */
  answer: AnswerInput | ((request: Interaction) => AnswerInput | Promise<AnswerInput>);
  /** How many requests the line answers. Default 1; `Infinity` for all that come. */
  times?: number;
}

/** Settings of a `Person`. */
export interface PersonOptions {
  /** The name beside the answers. Default `person`. */
  who?: string;
  /** The place beside the answers. Default `script`. */
  via?: string;
  /**
   * Leaves a request that no line answers pending. Default: it is cancelled at once, so that the agent under test does
   * not hang.
   */
  leaveUnmatched?: boolean;
}

/** Somebody who answers by a script. */
export interface Person {
  /** The requests they answered so far, in order. */
  readonly answered: readonly Interaction[];
  /** The requests that no line of the script answers, in order. */
  readonly unmatched: readonly Interaction[];
  /** Ends them. Rejects where a request matched no line or an answer was refused, and names each. */
  stop(): Promise<void>;
}

/**
 * Starts somebody who answers requests by a script, in the order of asking. Each request takes the first line that fits
 * and is not used up. A plan that waits for feedback counts as one more request. No timer is involved, so a fake clock
 * needs no help.
 */
export function startPerson(beckon: Beckon, script: readonly ScriptLine[], options: PersonOptions = {}): Person {
  const { who = 'person', via = 'script', leaveUnmatched = false } = options;
  const lines = script.map((line) => ({ ...line, left: line.times ?? 1 }));
  const stopped = new AbortController();
  const answered: Interaction[] = [];
  const unmatched: Interaction[] = [];
  const problems: string[] = [];

  async function answer(request: Interaction): Promise<void> {
    const line = lines.find(({ when, left }) => left > 0 && fits(request, when));
    if (line === undefined) {
      unmatched.push(request);
      problems.push(`No line of the script answers ${describe(request)}.`);
      if (!leaveUnmatched) await beckon.cancel({ id: request.id }, 'No line of the script answers this request.');
      return;
    }
    line.left -= 1;
    try {
      const given = typeof line.answer === 'function' ? await line.answer(request) : line.answer;
      await beckon.answer(request.id, given, { who, via });
      answered.push(request);
    } catch (error) {
      problems.push(`The answer to ${describe(request)} was refused: ${String(error)}`);
    }
  }

  async function read(): Promise<void> {
    const { waiting, lastSeq } = await listPending(beckon);
    for (const request of waiting) await answer(request);
    for await (const event of beckon.events({ after: lastSeq, signal: stopped.signal })) {
      if (event.type !== 'interaction.requested' && event.type !== 'interaction.feedback_requested') continue;
      const request = await beckon.get(event.interactionId);
      if (request?.status === 'pending') await answer(request);
    }
  }

  const reading = read().catch((error: unknown) => {
    const isOver = stopped.signal.aborted || (error instanceof BeckonError && error.code === 'closed');
    if (!isOver) problems.push(`The person could not go on: ${String(error)}`);
  });
  return {
    answered,
    unmatched,
    async stop() {
      stopped.abort();
      await reading;
      if (problems.length > 0) throw new Error(problems.join('\n'));
    },
  };
}

/** What is pending, the oldest first, and the last event that it takes into account. */
async function listPending(beckon: Beckon): Promise<{ waiting: Interaction[]; lastSeq: number }> {
  const first = await beckon.list({ status: 'pending' });
  const items = [...first.items];
  for (let { next } = first; next !== undefined; ) {
    const page = await beckon.list({ status: 'pending', after: next });
    items.push(...page.items);
    next = page.next;
  }
  return { waiting: items.reverse(), lastSeq: first.lastSeq };
}

function fits(request: Interaction, when: ScriptLine['when'] = {}): boolean {
  if (typeof when === 'function') return when(request);
  return Object.entries(when).every(([field, value]) => request[field as keyof Interaction] === value);
}

function describe({ kind, id, chatId, request }: Interaction): string {
  return `the ${kind} ${id} in the chat "${chatId}" (${JSON.stringify(request).slice(0, 200)})`;
}
