import * as clack from '@clack/prompts';
import type { Beckon } from '../core/beckon.ts';
import type { AnswerInput } from '../protocol/answers.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { Interaction, InteractionOf } from '../protocol/interaction.ts';
import { describeRequest } from './outcome.ts';
import { note } from './output.ts';
import { promptForValues } from './prompt-form.ts';
import { orLeave, type PromptContext, PromptLeft } from './prompt-context.ts';
import { toVisible, toVisibleLine } from './visible.ts';

const OTHER = Symbol('other');

/**
 * Lets the person at this terminal answer. `answered`: they did. `left`: they pressed Ctrl-C. `closed`: the signal aborted, because it
 * was settled elsewhere, or this terminal cannot take an answer.
 */
export async function promptForAnswer(
  beckon: Beckon,
  interaction: Interaction,
  signal: AbortSignal,
): Promise<'answered' | 'closed' | 'left'> {
  const context: PromptContext = { output: process.stderr, signal };
  try {
    for (;;) {
      const answer = await promptFor(interaction, context);
      const sent = answer === null ? 'refused' : await send(beckon, interaction, answer);
      if (sent !== 'again') return sent === 'refused' ? 'closed' : sent;
    }
  } catch (error) {
    if (!(error instanceof PromptLeft)) throw error;
    return signal.aborted ? 'closed' : 'left';
  }
}

async function promptFor(interaction: Interaction, context: PromptContext): Promise<AnswerInput | null> {
  switch (interaction.kind) {
    case 'question':
      return promptForQuestion(interaction, context);
    case 'plan_review':
      return promptForPlan(interaction, context);
    case 'approval':
      return promptForApproval(interaction, context);
    case 'form':
      return { values: await promptForValues(toVisible(interaction.request.message), interaction.request.schema, context) };
    case 'component':
      note(`${interaction.id} is a screen of components, which a terminal cannot show. Answer it elsewhere.`);
      return null;
  }
}

async function promptForQuestion(
  { request }: InteractionOf<'question'>,
  context: PromptContext,
): Promise<AnswerInput> {
  const title = request.header ? `[${request.header}] ${request.question}` : request.question;
  const message = toVisible(title);
  if (request.options.length === 0) return { text: await promptForText(message, context) };
  const options = request.options.map(({ label, description }) => ({
    value: label as string | typeof OTHER,
    label: toVisibleLine(label),
    ...(description !== undefined && { hint: toVisibleLine(description) }),
  }));
  const all = [...options, { value: OTHER, label: 'In your own words …' }];
  if (request.multiSelect === true) {
    const chosen = orLeave(await clack.multiselect<string | typeof OTHER>({ ...context, message, options: all, required: true }));
    const selected = chosen.filter((value) => value !== OTHER);
    if (selected.length === chosen.length) return { selected };
    const words = await promptForText('In your own words', context);
    return selected.length === 0 ? { text: words } : { selected, notes: words };
  }
  const chosen = orLeave(await clack.select<string | typeof OTHER>({ ...context, message, options: all }));
  return chosen === OTHER ? { text: await promptForText('In your own words', context) } : { selected: [chosen] };
}

async function promptForPlan(interaction: InteractionOf<'plan_review'>, context: PromptContext): Promise<AnswerInput> {
  clack.note(describeRequest(interaction), 'Plan', context);
  const decision = orLeave(
    await clack.select({
      ...context,
      message: 'Accept this plan?',
      options: [
        { value: 'clean_edit', label: 'Accept', hint: 'with a clear context' },
        { value: 'edit', label: 'Accept', hint: 'and keep the context' },
        { value: 'default', label: 'Accept', hint: 'with a clear context, and ask before each edit' },
        { value: 'adjust', label: 'Send back with feedback' },
      ],
    }),
  );
  if (decision !== 'adjust') return { decision };
  return { decision, feedback: await promptForText('What should change?', context) };
}

async function promptForApproval(interaction: InteractionOf<'approval'>, context: PromptContext): Promise<AnswerInput> {
  clack.note(describeRequest(interaction), toVisibleLine(interaction.request.tool), context);
  const decision = orLeave(
    await clack.select({
      ...context,
      message: 'Allow this?',
      options: [
        { value: 'deny', label: 'Deny' },
        { value: 'allow', label: 'Allow' },
        { value: 'reason', label: 'Deny, and say why' },
      ],
    }),
  );
  if (decision === 'reason') return { decision: 'deny', message: await promptForText('Why not?', context) };
  return { decision: decision === 'allow' ? 'allow' : 'deny' };
}

async function promptForText(message: string, context: PromptContext): Promise<string> {
  const validate = (text: string | undefined): string | undefined =>
    text?.trim() ? undefined : 'Type an answer, or press Ctrl-C to leave.';
  return orLeave(await clack.text({ ...context, message, validate }));
}

/** Offers the answer. `again`: the person may try once more. `refused`: this terminal may not answer. */
async function send(beckon: Beckon, { id }: Interaction, answer: AnswerInput): Promise<'answered' | 'refused' | 'again'> {
  try {
    const { result } = await beckon.answer(id, answer, { who: 'terminal', via: 'terminal' });
    return result === 'accepted' || result === 'repeated' ? 'answered' : 'refused';
  } catch (error) {
    if (!(error instanceof BeckonError)) throw error;
    note(error.message);
    return error.code === 'invalid_answer' || error.code === 'unreachable' ? 'again' : 'refused';
  }
}
