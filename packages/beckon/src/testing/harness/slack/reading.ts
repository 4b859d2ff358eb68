type Part = Record<string, unknown>;

/** A control as a person sees it. */
export interface SeenControl {
  type: string;
  text: string;
  action_id: string;
  block_id: string;
  value: string | undefined;
  url: string | undefined;
  options: { text: string; value: string }[];
}

/** What a person reads in blocks, a line for each part. */
export function readText(blocks: readonly unknown[]): string {
  return (blocks as Part[]).flatMap(readBlock).join('\n');
}

/** What a person can press or choose in blocks, in order. */
export function readControls(blocks: readonly unknown[]): SeenControl[] {
  return (blocks as Part[]).flatMap((block) => {
    const elements = block['type'] === 'actions' ? (block['elements'] as Part[]) : [];
    return elements.map((element) => toControl(element, String(block['block_id'])));
  });
}

/** The fields of a form, in order, with their labels. */
export function readFields(blocks: readonly unknown[]): (SeenControl & { label: string; element: Part })[] {
  return (blocks as Part[]).flatMap((block) => {
    if (block['type'] !== 'input') return [];
    const element = block['element'] as Part;
    return [{ ...toControl(element, String(block['block_id'])), label: readPlain(block['label']), element }];
  });
}

/** The texts that are shown as code. */
export function readCode(blocks: readonly unknown[]): string[] {
  const parts = (blocks as Part[]).flatMap((block) =>
    block['type'] === 'rich_text' ? (block['elements'] as Part[]) : [],
  );
  return parts.filter(({ type }) => type === 'rich_text_preformatted').map(readPart);
}

function readBlock(block: Part): string[] {
  if (block['type'] === 'rich_text') return (block['elements'] as Part[]).map(readPart);
  return block['type'] === 'input' ? [readPlain(block['label'])] : [];
}

function readPart(part: Part): string {
  return (part['elements'] as Part[]).map(({ text }) => text as string).join('');
}

function toControl(element: Part, block_id: string): SeenControl {
  const options = (element['options'] ?? []) as Part[];
  return {
    type: String(element['type']),
    text: readPlain(element['text']),
    action_id: String(element['action_id']),
    block_id,
    value: element['value'] as string | undefined,
    url: element['url'] as string | undefined,
    options: options.map(({ text, value }) => ({ text: readPlain(text), value: String(value) })),
  };
}

function readPlain(label: unknown): string {
  const { text } = (label ?? {}) as { text?: string };
  return text ?? '';
}
