import * as clack from '@clack/prompts';
import type { Beckon } from '../core/beckon.ts';
import type { AnswerInput } from '../protocol/answers.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { Interaction, InteractionOf } from '../protocol/interaction.ts';
import { describeRequest } from './outcome.ts';
import { note } from './output.ts';
import { orLeave, type PromptContext, PromptLeft } from './prompt-context.ts';
import { promptForValues } from './prompt-form.ts';
import { toVisible, toVisibleLine } from './visible.ts';

/** The choice beside the offered ones. */
const OWN_WORDS = -1;

/**
 * Lets the person at this terminal answer, and gives the interaction with the answer. `left`: they pressed Ctrl-C. `closed`: the signal
 * aborted, because it was settled elsewhere, or this terminal cannot take an answer.
 */
export async function promptForAnswer(
  beckon: Beckon,
  interaction: Interaction,
  signal: AbortSignal,
): Promise<Interaction | 'closed' | 'left'> {
  const context: PromptContext = { output: toSized(process.stderr), signal };
  try {
    for (;;) {
      const answer = await promptFor(interaction, context);
      const sent = answer === null ? 'closed' : await send(beckon, interaction, answer);
      if (sent !== 'again') return sent;
    }
  } catch (error) {
    if (!(error instanceof PromptLeft)) throw error;
    return signal.aborted ? 'closed' : 'left';
  }
}

// Some terminals, such as those of test tools, have no size: then every line would break after one character.
function toSized(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  return Object.assign(stream, { columns: stream.columns || 80, rows: stream.rows || 24 });
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
      return {
        values: await promptForValues(toVisible(interaction.request.message), interaction.request.schema, context),
      };
    case 'component':
      note(`${interaction.id} is a screen of components, which a terminal cannot show. Answer it elsewhere.`);
      return null;
  }
}

async function promptForQuestion({ request }: InteractionOf<'question'>, context: PromptContext): Promise<AnswerInput> {
  const title = request.header ? `[${request.header}] ${request.question}` : request.question;
  const message = toVisible(title);
  if (request.options.length === 0) return { text: await promptForText(message, context) };
  const options = request.options.map(({ label, description }, index) => ({
    value: index,
    label: toVisibleLine(label),
    ...(description !== undefined && { hint: toVisibleLine(description) }),
  }));
  const all = [...options, { value: OWN_WORDS, label: 'In your own words …' }];
  const chosen = request.multiSelect
    ? orLeave(await clack.multiselect<number>({ ...context, message, options: all, required: true }))
    : [orLeave(await clack.select<number>({ ...context, message, options: all }))];
  const selected = chosen.flatMap((index) => request.options[index]?.label ?? []);
  if (!chosen.includes(OWN_WORDS)) return { selected };
  const words = await promptForText('In your own words', context);
  return selected.length === 0 ? { text: words } : { selected, notes: words };
}

async function promptForPlan(interaction: InteractionOf<'plan_review'>, context: PromptContext): Promise<AnswerInput> {
  clack.note(describeRequest(interaction), 'Plan', context);
  const decision = orLeave(
    await clack.select({
      ...context,
      message: 'Accept this plan?',
      options: [
        { value: 'clean_edit', label: 'Accept, with a clear context' },
        { value: 'edit', label: 'Accept, and keep the context' },
        { value: 'default', label: 'Accept, with a clear context, and ask before each edit' },
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

/** Offers the answer. `again`: the person may try once more. `closed`: it does not count, or this terminal may not answer. */
async function send(
  beckon: Beckon,
  { id }: Interaction,
  answer: AnswerInput,
): Promise<Interaction | 'closed' | 'again'> {
  try {
    const { result, interaction } = await beckon.answer(id, answer, { who: 'terminal', via: 'terminal' });
    return interaction !== null && (result === 'accepted' || result === 'repeated') ? interaction : 'closed';
  } catch (error) {
    if (!(error instanceof BeckonError)) throw error;
    note(error.message);
    return error.code === 'invalid_answer' || error.code === 'unreachable' ? 'again' : 'closed';
  }
}
