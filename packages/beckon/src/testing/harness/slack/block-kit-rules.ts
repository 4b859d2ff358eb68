/*
 * What Slack refuses about Block Kit, and what no message of ours may have: markup. Agents' text may only be where
 * Slack reads nothing into it, which is in the text elements of rich text, and in `plain_text` without emoji.
 */

type Part = Record<string, unknown>;

const MOST_OPTIONS: Readonly<Record<string, number>> = {
  static_select: 100,
  multi_static_select: 100,
  checkboxes: 10,
  radio_buttons: 10,
};
const INPUTS = [
  'plain_text_input',
  'email_text_input',
  'url_text_input',
  'number_input',
  'datepicker',
  'datetimepicker',
  ...Object.keys(MOST_OPTIONS),
];

/** The first fault of the blocks of a message or a form; `null` if there is none. */
export function findBlockFault(blocks: unknown, surface: 'message' | 'modal'): string | null {
  if (!Array.isArray(blocks)) return 'the blocks are no list';
  const most = surface === 'message' ? 50 : 100;
  if (blocks.length < 1 || blocks.length > most) return `${blocks.length} blocks`;
  const names = (blocks as Part[]).map((block) => block['block_id']).filter((name) => name !== undefined);
  if (new Set(names).size < names.length) return 'a block_id is there twice';
  if (names.some((name) => !isText(name, 255))) return 'a block_id is no text of at most 255';
  return firstFault(blocks as Part[], (block) => findOneFault(block, surface));
}

/** The first fault of a text for notifications, where Slack reads markup. */
export function findNoticeFault(text: unknown): string | null {
  if (!isText(text, 4000)) return 'the text is missing';
  const left = text.replaceAll(/&(?:lt|gt|amp);/g, '');
  if (/[<>&]/.test(left)) return `the text has markup: ${text}`;
  return /:[^\s:]+:/.test(left) ? `the text has an emoji: ${text}` : null;
}

/** The characters of all texts in blocks. Slack refuses too many, and does not say how many that is. */
export function countText(part: unknown): number {
  if (Array.isArray(part)) return part.reduce<number>((sum, one) => sum + countText(one), 0);
  if (typeof part !== 'object' || part === null) return 0;
  return Object.entries(part).reduce(
    (sum, [name, value]) => sum + (name === 'text' && typeof value === 'string' ? value.length : countText(value)),
    0,
  );
}

/** The first fault of a form. */
export function findViewFault(view: unknown): string | null {
  const { type, title, close, submit, private_metadata: data, blocks } = (view ?? {}) as Part;
  if (type !== 'modal') return 'the view is no modal';
  for (const label of [title, close, ...(submit === undefined ? [] : [submit])]) {
    const fault = findPlainFault(label, 24);
    if (fault !== null) return fault;
  }
  if (typeof data !== 'string' || data.length > 3000) return 'private_metadata is no text of at most 3000';
  const hasInputs = Array.isArray(blocks) && (blocks as Part[]).some((block) => block['type'] === 'input');
  if (hasInputs && submit === undefined) return 'a form with fields needs a button';
  return findBlockFault(blocks, 'modal');
}

function findOneFault(block: Part, surface: 'message' | 'modal'): string | null {
  switch (block['type']) {
    case 'rich_text':
      return findRichFault(block['elements']);
    case 'actions': {
      if (surface !== 'message') return 'actions are for messages';
      const elements = block['elements'] as Part[];
      if (!Array.isArray(elements) || elements.length < 1 || elements.length > 25) return 'too many controls, or none';
      const ids = elements.map((element) => element['action_id']);
      if (new Set(ids).size < ids.length) return 'an action_id is there twice in a block';
      return firstFault(elements, findControlFault);
    }
    case 'input':
      if (surface !== 'modal') return 'fields are for forms';
      return findFieldFault(block);
    default:
      return `the block ${String(block['type'])} is not expected`;
  }
}

function findRichFault(parts: unknown): string | null {
  if (!Array.isArray(parts) || parts.length === 0) return 'rich text without elements';
  return firstFault(parts as Part[], ({ type, elements }) => {
    if (type !== 'rich_text_section' && type !== 'rich_text_preformatted') return `${String(type)} is not expected`;
    if (!Array.isArray(elements) || elements.length === 0) return 'a part of rich text is empty';
    return firstFault(elements as Part[], findTextElementFault);
  });
}

// Anything else would be a link, a mention, an emoji or a color.
function findTextElementFault({ type, text, style, ...rest }: Part): string | null {
  if (type !== 'text') return `the element ${String(type)} is not expected`;
  if (typeof text !== 'string' || text === '' || !text.isWellFormed()) return 'a text is empty or not well formed';
  if (Object.keys(rest).length > 0) return `a text has ${Object.keys(rest).join(', ')}`;
  const styles = Object.keys((style ?? {}) as object);
  return styles.every((name) => name === 'bold') ? null : `the style ${styles.join(', ')} is not expected`;
}

function findControlFault(element: Part): string | null {
  const { type, action_id: id, value, url, text } = element;
  if (!isText(id, 255)) return 'a control without action_id';
  if (type !== 'button') return findListFault(element);
  if (value !== undefined && !isText(value, 2000)) return 'the value of a button is too long';
  if (value === undefined && !isText(url, 3000)) return 'a button without value and url';
  return findPlainFault(text, 75);
}

function findListFault(element: Part): string | null {
  const { type, options, placeholder, initial_option: one, initial_options: several } = element;
  const most = MOST_OPTIONS[String(type)];
  if (most === undefined) return `the control ${String(type)} is not expected`;
  if (!Array.isArray(options) || options.length < 1 || options.length > most)
    return `a ${String(type)} with too many options`;
  if (placeholder !== undefined && findPlainFault(placeholder, 150) !== null) return findPlainFault(placeholder, 150);
  const values = (options as Part[]).map((option) => option['value']);
  if (new Set(values).size < values.length) return 'an option is there twice';
  const known = (options as Part[]).map((option) => JSON.stringify(option));
  const begun = [...(one === undefined ? [] : [one]), ...((several ?? []) as Part[])];
  if (begun.some((option) => !known.includes(JSON.stringify(option))))
    return 'an initial option is none of the options';
  return firstFault(options as Part[], (option) => {
    return isText(option['value'], 150) ? findPlainFault(option['text'], 75) : 'the value of an option is too long';
  });
}

function findFieldFault({ label, hint, optional, element }: Part): string | null {
  const { type, action_id: id, max_length: longest, initial_value: initial } = (element ?? {}) as Part;
  if (!INPUTS.includes(String(type))) return `the field ${String(type)} is not expected`;
  if (!isText(id, 255)) return 'a field without action_id';
  if (typeof optional !== 'boolean') return 'a field does not say whether it is optional';
  if (longest !== undefined && (Number(longest) < 1 || Number(longest) > 3000)) return 'max_length is from 1 to 3000';
  if (initial !== undefined && !isText(initial, 3000)) return 'initial_value is no text of at most 3000';
  const fault = findPlainFault(label, 2000) ?? (hint === undefined ? null : findPlainFault(hint, 2000));
  return fault ?? (String(type) in MOST_OPTIONS ? findListFault(element as Part) : null);
}

function findPlainFault(label: unknown, most: number): string | null {
  const { type, text, emoji } = (label ?? {}) as Part;
  if (type !== 'plain_text') return `${String(type)} where plain_text is expected`;
  if (emoji !== false) return 'a plain_text that shows emoji';
  if (typeof text !== 'string' || text.trim() === '' || !text.isWellFormed()) return 'a plain_text is blank';
  return text.length > most ? `a plain_text of ${text.length} characters, at most ${most}` : null;
}

function firstFault(parts: readonly Part[], find: (part: Part) => string | null): string | null {
  for (const part of parts) {
    const fault = find(part);
    if (fault !== null) return fault;
  }
  return null;
}

function isText(value: unknown, most: number): value is string {
  return typeof value === 'string' && value !== '' && value.length <= most;
}
