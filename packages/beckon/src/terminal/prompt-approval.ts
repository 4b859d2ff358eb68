import { isDeepStrictEqual } from 'node:util';
import { APPROVAL_CHOICES } from '../presentation/approval-choices.ts';
import { toVisible, toVisibleLine } from '../presentation/visible.ts';
import type { AnswerInput } from '../protocol/answers.ts';
import type { InteractionOf } from '../protocol/interaction.ts';
import type { JsonObject } from '../protocol/json.ts';
import { editJson } from './edit-json.ts';
import { describeFields } from './json-text.ts';
import { choose, type PromptContext, present, promptForText, read, remark } from './prompt-context.ts';

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
  { request }: InteractionOf<'approval'>,
  context: PromptContext,
): Promise<AnswerInput> {
  const title = toVisibleLine(request.tool, 60, 'code');
  const head = request.description === undefined ? [] : [toVisible(request.description), ''];
  const toText = (input: JsonObject): string => [...head, ...describeFields(input)].join('\n');
  const menu = { message: EDITED_QUESTION, choices: DECISIONS };
  await present(context, title, toText(request.input), menu);
  let input = request.input;
  for (;;) {
    const isEdited = !isDeepStrictEqual(input, request.input);
    const edited = isEdited ? { updatedInput: input } : {};
    const decision = isEdited
      ? await choose(context, EDITED_QUESTION, EDITED_DECISIONS)
      : await choose(context, QUESTION, DECISIONS);
    switch (decision) {
      case 'deny':
        return { decision };
      case 'reason':
        return { decision: 'deny', message: await promptForText(context, 'Why not?') };
      case 'allow':
        return { decision, ...edited };
      case 'remember':
        return { decision: 'allow', remember: true };
      case 'open':
        input = (await editJson(context, input, 'input.json')) ?? input;
        if (isDeepStrictEqual(input, request.input)) remark(context, 'You changed nothing.');
        else await present(context, `${title}, as you edited it`, toText(input), menu);
        break;
      case 'read':
        await read(context, title, toText(input));
        break;
    }
  }
}
