import * as z from 'zod/mini';
import { BeckonError } from '../../protocol/errors.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { ElicitationParams, type Message, ownObject, ownString, PermissionParams, type ToolCall } from './messages.ts';
import { toApproval, toPlanReview } from './permission.ts';
import { toAskedFields, toQwenQuestions } from './questions.ts';
import { mergeCalls, type Talk } from './talk.ts';
import type { Translated } from './translated.ts';

/** The requests of an agent that a person decides. */
const FOR_PEOPLE = ['session/request_permission', 'elicitation/create'];

/** Whether a message asks a person. */
export function asksPerson({ id, method }: Message): boolean {
  return id !== undefined && id !== null && method !== undefined && FOR_PEOPLE.includes(method);
}

/** Turns a request of an agent into what people are asked; `null` if Beckon cannot ask it. */
export function toRequest(message: Message, talk: Talk): Translated | null {
  try {
    return message.method === 'elicitation/create' ? readElicitation(message) : readPermission(message, talk);
  } catch (error) {
    // A question beyond Beckon's limits stays with the client.
    if (error instanceof BeckonError) return null;
    throw error;
  }
}

function readPermission({ params }: Message, talk: Talk): Translated | null {
  const parsed = z.safeParse(PermissionParams, params);
  if (!parsed.success) return null;
  const { sessionId, toolCall, options } = parsed.data;
  const call = mergeCalls(talk.session(sessionId).calls.get(toolCall.toolCallId), toolCall);
  if (ownString(call._meta, 'qwenInteractionKind') === 'user_question') return toQwenQuestions(call, options);
  if (isPlan(call)) return toPlanReview(call, options);
  return toApproval(call, options, talk.agent.name);
}

// Entering plan mode has the same kind, and no plan.
function isPlan({ kind, name, rawInput, content = [] }: ToolCall): boolean {
  if (kind !== 'switch_mode') return false;
  return name === 'ExitPlanMode' || ownString(rawInput, 'plan') !== undefined || content.length > 0;
}

function readElicitation({ params }: Message): Translated | null {
  const parsed = z.safeParse(ElicitationParams, params);
  if (!parsed.success) return null;
  const { mode = 'form', message, requestedSchema: schema } = parsed.data;
  // A page that the person should open, and a secret, are the client's.
  if (mode !== 'form' || schema === undefined || hasSecret(schema)) return null;
  return toAskedFields(schema, message) ?? toForm(schema, message);
}

function hasSecret(schema: JsonObject): boolean {
  const fields = Object.values(ownObject(schema, 'properties') ?? {});
  return fields.some((field) => ownObject(ownObject(field, '_meta'), 'codex')?.['isSecret'] === true);
}

function toForm(schema: JsonObject, message: string): Translated {
  return {
    asks: [{ kind: 'form', request: { message, schema } }],
    refusal: { action: 'cancel' },
    toResult([settled]) {
      if (settled?.kind !== 'form' || settled.status !== 'answered' || settled.answer === undefined) return null;
      return { action: 'accept', content: settled.answer.values };
    },
    toAnswers(result) {
      const values = ownString(result, 'action') === 'accept' ? ownObject(result, 'content') : undefined;
      return values === undefined ? null : [{ values }];
    },
  };
}
