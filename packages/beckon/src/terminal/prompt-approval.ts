import { isDeepStrictEqual } from 'node:util';
import { APPROVAL_CHOICES } from '../presentation/approval-choices.ts';
import { toVisibleLine } from '../presentation/visible.ts';
import type { AnswerInput } from '../protocol/answers.ts';
import type { InteractionOf } from '../protocol/interaction.ts';
import type { JsonObject } from '../protocol/json.ts';
import { describeOrigin, describeReasons } from './around-text.ts';
import { editInput } from './edit-input.ts';
import { layOut } from './line.ts';
import { choose, NOTE_MARGIN, type PromptContext, present, promptForText, read, remark } from './prompt-context.ts';
import { describeCall } from './request-text.ts';

const QUESTION = 'Allow this?';
const EDITED_QUESTION = 'Allow this, as you edited it?';
const DECISIONS = [
  ...APPROVAL_CHOICES.map(({ decision, label }) => ({ value: decision, label })),
  { value: 'reason', label: 'Deny, and say why' },
  { value: 'remember', label: 'Allow from now on' },
  { value: 'open', label: 'Edit the input in your editor' },
  { value: 'read', label: 'Read it again' },
] as const;
/** A rule would be about the input as the agent sent it, so there is none after an edit. */
const EDITED_DECISIONS = DECISIONS.filter(({ value }) => value !== 'remember');

/** Shows what a tool would do and asks whether it may. Enter alone denies. */
export async function promptForApproval(
  interaction: InteractionOf<'approval'>,
  context: PromptContext,
): Promise<AnswerInput> {
  const { request } = interaction;
  const { screen } = context;
  const title = toVisibleLine(request.tool, 60, 'code');
  const columns = screen.columns - NOTE_MARGIN;
  const { around = null } = context;
  const paint = screen.paint.bind(screen);
  const toText = (input: JsonObject): string => {
    const lines = [
      ...(around === null ? [] : [...describeOrigin(interaction, paint), { text: '' }]),
      ...describeCall(interaction, input, { context: around, paint, columns }),
      ...describeReasons(interaction, around, paint, columns),
    ];
    return layOut(lines, columns).join('\n');
  };
  const menu = { message: EDITED_QUESTION, choices: DECISIONS };
  await present(context, title, toText(request.input), menu);
  let input = request.input;
  for (;;) {
    const isEdited = !isDeepStrictEqual(input, request.input);
    const updated = isEdited ? { updatedInput: input } : {};
    const decision = isEdited
      ? await choose(context, EDITED_QUESTION, EDITED_DECISIONS)
      : await choose(context, QUESTION, DECISIONS);
    switch (decision) {
      case 'deny':
        return { decision };
      case 'reason':
        return { decision: 'deny', message: await promptForText(context, 'Why not?') };
      case 'allow':
        return { decision, ...updated };
      case 'remember':
        return { decision: 'allow', remember: true };
      case 'open': {
        const edited = await editInput(context, request, input);
        if ('problem' in edited) remark(context, edited.problem);
        else input = edited.value;
        if (isDeepStrictEqual(input, request.input)) remark(context, 'You changed nothing.');
        else await present(context, `${title}, as you edited it`, toText(input), menu);
        break;
      }
      case 'read':
        await read(context, title, toText(input));
        break;
    }
  }
}
