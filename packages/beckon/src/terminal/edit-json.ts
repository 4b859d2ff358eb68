import { toEditableJson } from '../presentation/visible.ts';
import { isObject, type JsonObject } from '../protocol/json.ts';
import { parseJson } from '../protocol/parse-json.ts';
import { begin, choose, type PromptContext, PromptLeft, remark } from './prompt-context.ts';

/** What the person wrote, or why there is nothing. */
export type Edited<Value> = { value: Value } | { problem: string };

/** Opens the editor on this terminal. */
export async function editHere(context: PromptContext, text: string, fileName: string): Promise<Edited<string>> {
  const { screen, signal, editText } = context;
  try {
    const value = await screen.lend(() => editText(text, fileName));
    begin(context);
    if (signal.aborted) throw new PromptLeft(false);
    return { value };
  } catch (error) {
    if (error instanceof PromptLeft) throw error;
    begin(context);
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Lets the person edit an object as JSON until it is valid, or they give up. */
export async function editJson(
  context: PromptContext,
  value: JsonObject,
  fileName: string,
): Promise<Edited<JsonObject>> {
  // The editor shows an agent's text on this terminal, so hidden characters become escapes.
  let text = `${toEditableJson(value)}\n`;
  for (;;) {
    const edited = await editHere(context, text, fileName);
    if ('problem' in edited) return edited;
    text = edited.value;
    const parsed = parseObject(text);
    if (typeof parsed !== 'string') return { value: parsed };
    remark(context, parsed);
    const next = await choose(context, 'What now?', [
      { value: 'again', label: 'Edit again' },
      { value: 'drop', label: 'Discard the changes' },
    ]);
    if (next === 'drop') return { problem: 'Nothing changed.' };
  }
}

/** The object, or what is wrong with the text. */
function parseObject(text: string): JsonObject | string {
  try {
    const value = parseJson(text, (reason) => `This is not valid JSON: ${reason}`);
    return isObject(value) ? value : 'Enter a JSON object: { … }';
  } catch (error) {
    return (error as Error).message;
  }
}
