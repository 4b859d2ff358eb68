import { toEditableJson, toVisible } from '../presentation/visible.ts';
import type { Json, JsonObject } from '../protocol/json.ts';
import type { ApprovalRequest } from '../protocol/requests.ts';
import { type Edited, editHere, editJson } from './edit-json.ts';
import { begin, type PromptContext } from './prompt-context.ts';

/** How a person edits the input of a tool: as the text that matters in it, or as JSON. */
export interface Editable {
  /** The field that is edited as a text; none: the whole input as JSON. */
  field?: string;
  fileName: string;
  /** What is edited, to show what changed. */
  toText: (input: JsonObject) => string;
}

/** The field of a tool's input that people edit as a text. */
const FIELDS: Readonly<Record<string, { field: string; fileName: string }>> = {
  Bash: { field: 'command', fileName: 'command.sh' },
  Write: { field: 'content', fileName: 'content.txt' },
  Edit: { field: 'new_string', fileName: 'new-text.txt' },
  NotebookEdit: { field: 'new_source', fileName: 'cell.txt' },
};

/** Finds out how the input of a call is edited. Hidden characters would be lost in a text; JSON has their escapes. */
export function toEditable({ tool, input }: Pick<ApprovalRequest, 'tool' | 'input'>): Editable {
  const known = Object.hasOwn(FIELDS, tool) ? FIELDS[tool] : undefined;
  const text = known === undefined ? undefined : input[known.field];
  if (known === undefined || typeof text !== 'string' || toVisible(text, 'code') !== text) {
    return { fileName: 'input.json', toText: toEditableJson };
  }
  return { ...known, toText: (value) => toText(value[known.field]) };
}

/** Lets the person edit an input. */
export async function editInput(
  context: PromptContext,
  request: Pick<ApprovalRequest, 'tool' | 'input'>,
  input: JsonObject,
): Promise<Edited<JsonObject>> {
  const { field, fileName } = toEditable(request);
  begin(context);
  if (field === undefined) return editJson(context, input, fileName);
  const before = toText(input[field]);
  const edited = await editHere(context, before, fileName);
  if ('problem' in edited) return edited;
  // Editors end a file with a line end, and the text had none.
  const after = before.endsWith('\n') ? edited.value : edited.value.replace(/\n$/, '');
  return { value: { ...input, [field]: after } };
}

function toText(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
