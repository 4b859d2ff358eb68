import { toHeadline } from '../../presentation/headline.ts';
import { toVisible } from '../../presentation/visible.ts';
import type { InteractionOf } from '../../protocol/interaction.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { cutText } from '../shared/cut-text.ts';
import { type Block, type ModalView, toPlain, toRichText } from './blocks.ts';
import { toFormFields, toInputs } from './form-fields.ts';

const MESSAGE_CHARS = 3000;
const PROBLEM_CHARS = 2000;

/** A form to fill in. `values` and `problem` are of an earlier try. */
export function toFormView(
  interaction: InteractionOf<'form'>,
  data: string,
  earlier: { values?: JsonObject; problem?: string } = {},
): ModalView {
  const { message, schema } = interaction.request;
  const shown = cutText(toVisible(message), MESSAGE_CHARS);
  const { values, problem = '' } = earlier;
  const pieces = [
    ...(problem === '' ? [] : [{ text: `${cutText(toVisible(problem), PROBLEM_CHARS)}\n\n`, style: 'bold' as const }]),
    { text: shown.trim() === '' ? toHeadline(interaction) : shown },
  ];
  const inputs: Block[] = toInputs(toFormFields(schema) ?? [], values);
  return toView(data, [toRichText(pieces), ...inputs], { title: 'Fill in', close: 'Cancel', submit: 'Send' });
}

/** What takes the place of a form: that it is being sent, or what became of it. */
export function toNoteView(text: string): ModalView {
  return toView('', [toRichText([{ text: cutText(toVisible(text), MESSAGE_CHARS) }])], {
    title: 'Fill in',
    close: 'Close',
  });
}

function toView(
  data: string,
  blocks: Block[],
  { title, close, submit }: { title: string; close: string; submit?: string },
): ModalView {
  return {
    type: 'modal',
    private_metadata: data,
    title: toPlain(title),
    close: toPlain(close),
    ...(submit !== undefined && { submit: toPlain(submit) }),
    blocks,
  };
}
