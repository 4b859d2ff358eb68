import * as z from 'zod/mini';
import type { JsonObject } from '../../protocol/json.ts';

/** A call of pi, in the words that Beckon has for the tools of all agents, and the way back. */
export interface PiCall {
  tool: string;
  input: JsonObject;
  /** What pi is to run instead; `null` if an input does not fit its tool. */
  toInput(changed: JsonObject): JsonObject | null;
}

const Bash = z.looseObject({ command: z.string() });
const Write = z.strictObject({ path: z.string(), content: z.string() });
const Edit = z.strictObject({
  path: z.string(),
  edits: z.array(z.strictObject({ oldText: z.string(), newText: z.string() })).check(z.minLength(1)),
});
const OurWrite = z.strictObject({ file_path: z.string(), content: z.string() });
const OurEdit = z.strictObject({
  file_path: z.string(),
  edits: z.array(z.strictObject({ old_string: z.string(), new_string: z.string() })).check(z.minLength(1)),
});

/** Reads a call. An input that does not fit the known tools is shown as it is. */
export function toPiCall(toolName: string, input: JsonObject): PiCall {
  const plain: PiCall = { tool: toolName, input, toInput: (changed) => changed };
  switch (toolName) {
    case 'bash': {
      const read = z.safeParse(Bash, input);
      return read.success
        ? { tool: 'Bash', input, toInput: (changed) => (z.safeParse(Bash, changed).success ? changed : null) }
        : plain;
    }
    case 'write': {
      const read = z.safeParse(Write, input);
      if (!read.success) return plain;
      const { path, content } = read.data;
      return { tool: 'Write', input: { file_path: path, content }, toInput: toWriteInput };
    }
    case 'edit': {
      const read = z.safeParse(Edit, input);
      if (!read.success) return plain;
      const { path, edits } = read.data;
      const ours = edits.map(({ oldText, newText }) => ({ old_string: oldText, new_string: newText }));
      return { tool: 'MultiEdit', input: { file_path: path, edits: ours }, toInput: toEditInput };
    }
    default:
      return plain;
  }
}

function toWriteInput(changed: JsonObject): JsonObject | null {
  const read = z.safeParse(OurWrite, changed);
  return read.success ? { path: read.data.file_path, content: read.data.content } : null;
}

function toEditInput(changed: JsonObject): JsonObject | null {
  const read = z.safeParse(OurEdit, changed);
  if (!read.success) return null;
  const { file_path: path, edits } = read.data;
  return { path, edits: edits.map((edit) => ({ oldText: edit.old_string, newText: edit.new_string })) };
}
