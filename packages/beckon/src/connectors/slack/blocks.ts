import { toVisibleLine } from '../../presentation/visible.ts';
import type { Piece } from '../shared/piece.ts';

/*
 * The parts of Block Kit that the connector builds. None of them reads markup: text is in rich text, which has styles
 * as fields, or in `plain_text` without emoji. So nothing that an agent writes becomes a mention, a link or an emoji.
 */

/** A text without markup, for labels. */
export interface PlainText {
  type: 'plain_text';
  text: string;
  emoji: false;
}

interface TextElement {
  type: 'text';
  text: string;
  style?: { bold: true };
}

interface RichPart {
  type: 'rich_text_section' | 'rich_text_preformatted';
  elements: TextElement[];
}

/** Text with styles by position. */
export interface RichText {
  type: 'rich_text';
  block_id?: string;
  elements: RichPart[];
}

/** A button. With a `url` it opens a page. */
export interface Button {
  type: 'button';
  action_id: string;
  text: PlainText;
  value?: string;
  url?: string;
}

/** One of the things to choose from. */
export interface Option {
  text: PlainText;
  value: string;
}

/** A list to choose from. */
export interface Choice {
  type: 'static_select' | 'multi_static_select' | 'checkboxes' | 'radio_buttons';
  action_id: string;
  options: Option[];
  placeholder?: PlainText;
  initial_option?: Option;
  initial_options?: Option[];
}

/** Something to type into. */
export interface TextInput {
  type: 'plain_text_input' | 'email_text_input' | 'url_text_input' | 'number_input' | 'datepicker' | 'datetimepicker';
  action_id: string;
  [option: string]: string | number | boolean | undefined;
}

/** Controls below a message. */
export interface Actions {
  type: 'actions';
  block_id: string;
  elements: (Button | Choice)[];
}

/** A field of a form. */
export interface Input {
  type: 'input';
  block_id: string;
  label: PlainText;
  hint?: PlainText;
  optional: boolean;
  element: Choice | TextInput;
}

export type Block = RichText | Actions | Input;

/** A form in front of a person. */
export interface ModalView {
  type: 'modal';
  /** The signed data that comes back with what was filled in. */
  private_metadata: string;
  title: PlainText;
  close: PlainText;
  submit?: PlainText;
  blocks: Block[];
}

/** The longest label of a button or an option. */
const LABEL_CHARS = 75;
/** A longer text is put into several elements, which look like one. */
const ELEMENT_CHARS = 2500;
const FALLBACK_CHARS = 150;

/** A label on one line, with hidden characters made visible. */
export function toPlain(text: string, most: number = LABEL_CHARS): PlainText {
  // Slack refuses a blank label.
  return { type: 'plain_text', text: toVisibleLine(text, most) || '–', emoji: false };
}

/** Text as it is, with its styles. Blank text is left out: Slack refuses it. */
export function toRichText(pieces: readonly Piece[], blockId?: string): RichText {
  const parts: RichPart[] = [];
  for (const { text, style } of pieces) {
    if (text === '') continue;
    const type = style === 'pre' ? 'rich_text_preformatted' : 'rich_text_section';
    const last = parts.at(-1);
    const part: RichPart = last?.type === type ? last : { type, elements: [] };
    if (part !== last) parts.push(part);
    for (const chunk of toChunks(text)) {
      part.elements.push({ type: 'text', text: chunk, ...(style === 'bold' && { style: { bold: true } }) });
    }
  }
  const elements = parts.map(trimEnds).filter(({ elements: texts }) => texts.length > 0);
  return { type: 'rich_text', ...(blockId !== undefined && { block_id: blockId }), elements };
}

/**
 * A line for notifications. Slack reads markup in it, so what has a meaning there is escaped, and the names of emoji
 * are taken apart: `:bomb:` becomes `: bomb:`.
 */
export function toFallback(text: string): string {
  return toVisibleLine(text, FALLBACK_CHARS)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/:(?=[^\s:]+:)/g, ': ');
}

// Each part begins on a line of its own, so line ends around it would be blank lines.
function trimEnds(part: RichPart): RichPart {
  const elements = [...part.elements];
  const first = elements[0];
  if (first !== undefined) elements[0] = { ...first, text: first.text.replace(/^\n+/, '') };
  const last = elements.at(-1);
  if (last !== undefined) elements[elements.length - 1] = { ...last, text: last.text.replace(/\n+$/, '') };
  return { ...part, elements: elements.filter(({ text }) => text !== '') };
}

function toChunks(text: string): string[] {
  const chunks: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = at + ELEMENT_CHARS;
    // A pair of surrogates stays together.
    const isCut = /[\ud800-\udbff]/.test(text.charAt(end - 1));
    chunks.push(text.slice(at, isCut ? end - 1 : end));
    at = isCut ? end - 1 : end;
  }
  return chunks;
}
