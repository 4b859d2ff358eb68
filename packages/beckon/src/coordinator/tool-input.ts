import { parseQuestions } from '../adapters/claude/questions.ts';
import { BeckonError } from '../protocol/errors.ts';
import { type JsonObject, JsonRecord } from '../protocol/json.ts';
import { parse } from '../protocol/parse.ts';
import type { QuestionRequest } from '../protocol/requests.ts';

/** Reads the questions of an AskUserQuestion call. */
export function readQuestions(toolInput: JsonObject): QuestionRequest[] | BeckonError {
  return orError(() => parseQuestions(toolInput));
}

/** Reads the input of any tool. */
export function parseToolInput(toolInput: unknown, tool: string): JsonObject | BeckonError {
  return orError(() => parse(JsonRecord, toolInput, { what: `input of ${tool}` }));
}

// An agent that sends bad input is told so, and may correct itself.
function orError<Output>(read: () => Output): Output | BeckonError {
  try {
    return read();
  } catch (error) {
    if (error instanceof BeckonError) return error;
    throw error;
  }
}
