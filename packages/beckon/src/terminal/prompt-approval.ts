import { isDeepStrictEqual } from 'node:util';
import { APPROVAL_CHOICES } from '../presentation/approval-choices.ts';
import { toVisibleLine } from '../presentation/visible.ts';
import { toApprovalAbilities } from '../protocol/abilities.ts';
import type { AnswerInput } from '../protocol/answers.ts';
import type { InteractionOf } from '../protocol/interaction.ts';
import type { JsonObject } from '../protocol/json.ts';
import type { ApprovalRequest } from '../protocol/requests.ts';
import { assessRisk } from '../risk/assess-risk.ts';
import { describeOrigin, describeReasons } from './around-text.ts';
import { confirmAnyway } from './confirm-anyway.ts';
import { editInput } from './edit-input.ts';
import { layOut } from './line.ts';
import { choose, NOTE_MARGIN, type PromptContext, present, promptForText, read, remark } from './prompt-context.ts';
import { describeCall } from './request-text.ts';

const QUESTION = 'Allow this?';
const EDITED_QUESTION = 'Allow this, as you edited it?';
const DECISIONS = [
  ...APPROVAL_CHOICES.map(({ decision, label }) => ({ value: decision, label })),
  { value: 'reason', label: 'Deny, and say why' },
  { value: 'remember', label: 'Allow, and let the agent remember it' },
  { value: 'open', label: 'Edit the input in your editor' },
  { value: 'read', label: 'Read it again' },
] as const;
const NOT_ALLOWED = 'It was not allowed, because you typed something else.';

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
  const decisions = toDecisions(request);
  // A rule would cover the input as it was sent, so there is none after an edit. What is dangerous gets none either.
  const notRemembered = decisions.filter(({ value }) => value !== 'remember');
  const menu = { message: EDITED_QUESTION, choices: decisions };
  await present(context, title, toText(request.input), menu);
  let input = request.input;
  for (;;) {
    const isEdited = !isDeepStrictEqual(input, request.input);
    const updated = isEdited ? { updatedInput: input } : {};
    const risk = assessRisk({ ...interaction, request: { ...request, input } });
    const isDangerous = risk.level === 'dangerous';
    const decision = await choose(
      context,
      isEdited ? EDITED_QUESTION : QUESTION,
      isEdited || isDangerous ? notRemembered : decisions,
    );
    switch (decision) {
      case 'deny':
        return { decision };
      case 'reason':
        return { decision: 'deny', message: await promptForText(context, 'Why not?') };
      case 'allow':
        if (!isDangerous || (await confirmAnyway(context, risk))) return { decision, ...updated };
        remark(context, NOT_ALLOWED);
        break;
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

/** What the agent can do. */
function toDecisions(request: ApprovalRequest): readonly (typeof DECISIONS)[number][] {
  const { denyText, editInput, remember } = toApprovalAbilities(request);
  const can: Readonly<Record<string, boolean>> = { reason: denyText, remember, open: editInput };
  return DECISIONS.filter(({ value }) => can[value] ?? true);
}
