import * as z from 'zod/mini';
import { isObject, type JsonObject, JsonRecord } from '../../protocol/json.ts';

/*
 * What Beckon reads of the Agent Client Protocol (version 1, JSON-RPC 2.0, one message a line). Fields that it does not
 * know are ignored, and optional ones of a wrong type count as absent: agents differ, and their editors get every
 * message as it came.
 */

const { catch: orElse } = z;
const text = orElse(z.optional(z.string()), undefined);
const record = orElse(z.optional(JsonRecord), undefined);

/** The id of a JSON-RPC request. */
export const RequestId = z.union([z.string(), z.number(), z.null()]);
export type RequestId = z.output<typeof RequestId>;

/** Any message: a request has `id` and `method`, a notification `method`, a response `id` with a result or an error. */
export const Message = z.looseObject({
  id: z.optional(RequestId),
  method: z.optional(z.string()),
  params: record,
  result: z.optional(z.unknown()),
  error: z.optional(z.unknown()),
});
export type Message = z.output<typeof Message>;

const Content = z.object({ type: z.string(), text });

/** What a tool call shows: texts, and the changes of files. */
const ToolContent = z.object({
  type: z.string(),
  content: orElse(z.optional(Content), undefined),
  path: text,
  oldText: orElse(z.optional(z.nullable(z.string())), undefined),
  newText: text,
  _meta: record,
});
export type ToolContent = z.output<typeof ToolContent>;

/** A tool call, or what is new about one. */
export const ToolCall = z.object({
  toolCallId: z.string(),
  title: text,
  kind: text,
  name: text,
  status: text,
  rawInput: record,
  content: orElse(z.optional(z.array(ToolContent)), undefined),
  _meta: record,
});
export type ToolCall = z.output<typeof ToolCall>;

/** One way to decide about a permission. */
const PermissionOption = z.object({ optionId: z.string(), name: z.string(), kind: z.string() });
export type PermissionOption = z.output<typeof PermissionOption>;

/** The parameters of `session/request_permission`. */
export const PermissionParams = z.object({
  sessionId: z.string(),
  toolCall: ToolCall,
  options: z.array(PermissionOption),
});

/** The parameters of `elicitation/create`. */
export const ElicitationParams = z.object({
  sessionId: text,
  toolCallId: text,
  mode: text,
  message: z.string(),
  requestedSchema: z.optional(JsonRecord),
});

/** The parameters of `session/update`. */
export const UpdateParams = z.object({
  sessionId: z.string(),
  update: z.looseObject({
    sessionUpdate: z.string(),
    content: z.optional(z.unknown()),
  }),
});

/** The parameters of `session/prompt`. */
export const PromptParams = z.object({ sessionId: z.string(), prompt: z.array(Content) });

/** The text of a content block; empty if it has none. */
export function textOf(content: unknown): string {
  const parsed = z.safeParse(Content, content);
  return parsed.success && parsed.data.type === 'text' ? (parsed.data.text ?? '') : '';
}

/** The message of a line; `null` if it is none that Beckon reads. */
export function parseMessage(line: string): Message | null {
  // Lists of messages are passed on: ACP has none.
  if (!/^\s*\{/.test(line)) return null;
  try {
    const parsed = z.safeParse(Message, JSON.parse(line));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** A text of an object's own field. */
export function ownString(value: unknown, name: string): string | undefined {
  const field = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return typeof field === 'string' ? field : undefined;
}

/** An object in an object's own field. */
export function ownObject(value: unknown, name: string): JsonObject | undefined {
  const field = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return isObject(field) ? field : undefined;
}
