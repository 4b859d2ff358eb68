import { describeRisk } from '../presentation/describe-risk.ts';
import type { AnswerInput } from '../protocol/answers.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { Interaction } from '../protocol/interaction.ts';
import type { Risk } from '../protocol/risk.ts';
import { assessRisk } from '../risk/assess-risk.ts';

/** What is dangerous about an answer; `null`: it may be sent as it is. What the person edited counts as well. */
export function findDanger(interaction: Interaction | null, answer: AnswerInput): Risk | null {
  if (interaction?.kind !== 'approval' || interaction.status !== 'pending') return null;
  const { decision, updatedInput: input } = answer as { decision?: unknown; updatedInput?: never };
  if (decision !== 'allow') return null;
  const { request } = interaction;
  const edited = input === undefined ? [] : [{ ...interaction, request: { ...request, input } }];
  return [interaction, ...edited].map(assessRisk).find(({ level }) => level === 'dangerous') ?? null;
}

/**
 * Lets only what is meant pass: to allow what is dangerous, somebody at a terminal types that they mean it, and a
 * script names `--anyway`. `false`: the person does not mean it. Throws `invalid_answer` where nobody can be asked.
 */
export async function confirmDanger({ id }: Interaction, risk: Risk): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    const why = `Nothing was sent, because ${id} needs a second step. ${describeRisk(risk)}.`;
    throw new BeckonError('invalid_answer', `${why} To allow it: beckon answer ${id} --allow --anyway`);
  }
  const [{ confirmAnyway }, { createEditText }, { PromptLeft }, { Screen }] = await Promise.all([
    import('../terminal/confirm-anyway.ts'),
    import('../terminal/edit-text.ts'),
    import('../terminal/prompt-context.ts'),
    import('../terminal/screen.ts'),
  ]);
  const screen = new Screen(process.stdin, process.stderr);
  const { signal } = new AbortController();
  try {
    return await confirmAnyway({ screen, signal, editText: createEditText(process.env) }, risk);
  } catch (error) {
    if (!(error instanceof PromptLeft)) throw error;
    return false;
  }
}
