import * as z from 'zod/mini';
import { BeckonError } from '../protocol/errors.ts';
import { fitsRequest, type JsonObject, JsonRecord } from '../protocol/json.ts';
import { parse } from '../protocol/parse.ts';
import { QuestionOption, QuestionRequest, upToLimit } from '../protocol/requests.ts';

// As `QuestionRequest`, but what Beckon does not know is left out instead of refused.
const Question = z
  .object({
    ...QuestionRequest.shape,
    options: z._default(z.array(z.object(QuestionOption.shape)).check(upToLimit), []),
  })
  .check(fitsRequest);
const AskUserQuestionInput = z.looseObject({ questions: z._default(z.array(Question), []) });

/** Reads the questions of an AskUserQuestion call, limits included: the last must not be refused after the first was answered. */
export function parseQuestions(toolInput: JsonObject): QuestionRequest[] | BeckonError {
  return orError(() => parse(AskUserQuestionInput, toolInput, { what: 'AskUserQuestion input' }).questions);
}

/** Reads the input of any tool. */
export function parseToolInput(toolInput: JsonObject, tool: string): JsonObject | BeckonError {
  return orError(() => parse(JsonRecord, toolInput, { what: `input of ${tool}` }));
}

// An agent that sends what it should not is told so, and may correct itself.
function orError<Output>(read: () => Output): Output | BeckonError {
  try {
    return read();
  } catch (error) {
    if (error instanceof BeckonError) return error;
    throw error;
  }
}
