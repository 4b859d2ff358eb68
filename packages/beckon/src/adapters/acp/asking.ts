import type { Asked, Beckon } from '../../core/beckon.ts';
import { requestGroup } from '../../core/request.ts';
import type { AnswerInput } from '../../protocol/answers.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { AskInput, Interaction } from '../../protocol/interaction.ts';

/** A request of an agent that people are asked about. */
export interface Asking {
  /** How everything ended; `null` if it ended elsewhere. Rejects if people could not be asked. */
  settled: Promise<Interaction[] | null>;
  /**
   * Ends it, because the client decided or nobody waits any more. `answers` is what the client decided, if that is
   * known. Never throws.
   */
  end(reason: string, answers?: readonly AnswerInput[] | null): Promise<void>;
}

/** Asks people. Whatever fails is for the caller to tell: the agent goes on as without Beckon. */
export function startAsking(connect: () => Promise<Beckon>, inputs: readonly AskInput[], client: string): Asking {
  const left = new AbortController();
  let beckon: Beckon | undefined;
  let asked: readonly Asked[] = [];
  const { signal } = left;
  const ask = async (): Promise<Interaction[] | null> => {
    for (;;) {
      beckon = await connect();
      try {
        return await requestGroup(beckon, inputs, { signal, keep: true, onAsked: (all) => (asked = all) });
      } catch (error) {
        if (signal.aborted) return null;
        // Beckon came back elsewhere. The key finds what was asked, or its answer.
        if (!(error instanceof BeckonError) || error.code !== 'closed') throw error;
      }
    }
  };
  const settled = ask();
  return {
    settled,
    async end(reason, answers = null) {
      left.abort();
      try {
        await settled;
        if (beckon !== undefined) await endAll(beckon, asked, { reason, answers, client });
      } catch {
        // It was never asked, or Beckon cannot be reached: the request expires.
      }
    },
  };
}

interface Ending {
  reason: string;
  answers: readonly AnswerInput[] | null;
  client: string;
}

async function endAll(beckon: Beckon, asked: readonly Asked[], { reason, answers, client }: Ending): Promise<void> {
  for (const [index, { id, status }] of asked.entries()) {
    if (status !== 'pending') continue;
    const answer = answers?.[index];
    const isTaken = answer !== undefined && (await answerAs(beckon, id, answer, client));
    if (isTaken || (await beckon.supersede(id, reason))) continue;
    // Somebody answered in Beckon while the client's answer was on its way to the agent.
    await beckon.note(id, { type: 'withheld', reason });
  }
}

/** Whether Beckon took the client's answer. A token that may only ask may not answer. */
async function answerAs(beckon: Beckon, id: string, answer: AnswerInput, client: string): Promise<boolean> {
  try {
    const { result } = await beckon.answer(id, answer, { who: client, via: client });
    return result === 'accepted' || result === 'repeated';
  } catch (error) {
    if (error instanceof BeckonError && error.code !== 'unreachable') return false;
    throw error;
  }
}

/** What an error says. */
export function toText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
