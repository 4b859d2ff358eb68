import { toEditableJson } from '../presentation/visible.ts';
import { isObject, type JsonObject } from '../protocol/json.ts';
import { parseJson } from '../protocol/parse-json.ts';
import { begin, choose, type PromptContext, PromptLeft, remark } from './prompt-context.ts';

/** Opens the editor on this terminal. `null`: it failed, and the person was told. */
export async function editHere(context: PromptContext, text: string, fileName: string): Promise<string | null> {
  const { screen, signal, editText } = context;
  try {
    const edited = await screen.lend(() => editText(text, fileName));
    begin(context);
    if (signal.aborted) throw new PromptLeft(false);
    return edited;
  } catch (error) {
    if (error instanceof PromptLeft) throw error;
    begin(context);
    remark(context, error instanceof Error ? error.message : String(error));
    return null;
  }
}

/** Lets the person edit an object as JSON until it is valid. `null`: they gave up, and nothing changed. */
export async function editJson(
  context: PromptContext,
  value: JsonObject,
  fileName: string,
): Promise<JsonObject | null> {
  // The editor shows an agent's text on this terminal, so hidden characters become escapes.
  let text = `${toEditableJson(value)}\n`;
  for (;;) {
    const edited = await editHere(context, text, fileName);
    if (edited === null) return null;
    text = edited;
    const parsed = parseObject(text);
    if (typeof parsed !== 'string') return parsed;
    remark(context, parsed);
    const next = await choose(context, 'What now?', [
      { value: 'again', label: 'Edit again' },
      { value: 'drop', label: 'Discard the changes' },
    ]);
    if (next === 'drop') return null;
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
