import * as z from 'zod/mini';
import { fitsRequest, type JsonObject } from '../../protocol/json.ts';
import { parse } from '../../protocol/parse.ts';
import { QuestionOption, QuestionRequest, upToLimit } from '../../protocol/requests.ts';

// As `QuestionRequest`, but what Beckon does not know is left out instead of refused.
const Question = z
  .object({
    ...QuestionRequest.shape,
    options: z._default(z.array(z.object(QuestionOption.shape)).check(upToLimit), []),
  })
  .check(fitsRequest);
const AskUserQuestionInput = z.looseObject({ questions: z._default(z.array(Question), []) });

/**
 * Reads the questions of an AskUserQuestion call, limits included: the last must not be refused after the first was answered. Throws
 * `invalid_input`.
 */
export function parseQuestions(toolInput: JsonObject): QuestionRequest[] {
  return parse(AskUserQuestionInput, toolInput, { what: 'AskUserQuestion input' }).questions;
}
