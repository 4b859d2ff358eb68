import * as z from 'zod/mini';
import { fitsRequest, type JsonObject } from '../../protocol/json.ts';
import { parse } from '../../protocol/parse.ts';
import { QuestionOption, QuestionRequest, upToLimit } from '../../protocol/requests.ts';

// Like `QuestionRequest`, but unknown fields are dropped instead of rejected. What the agent can do with an answer is
// for its adapter to say, not for the model.
const { abilities: _, ...shape } = QuestionRequest.shape;
const Question = z
  .object({
    ...shape,
    options: z._default(z.array(z.object(QuestionOption.shape)).check(upToLimit), []),
  })
  .check(fitsRequest);
const AskUserQuestionInput = z.looseObject({ questions: z._default(z.array(Question), []) });

/**
 * Reads the questions of an AskUserQuestion call and checks all limits: the last question must not be rejected after
 * the first was answered. Throws `invalid_input`.
 */
export function parseQuestions(toolInput: JsonObject): QuestionRequest[] {
  return parse(AskUserQuestionInput, toolInput, { what: 'AskUserQuestion input' }).questions;
}
