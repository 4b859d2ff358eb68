import type { Beckon } from '../core/beckon.ts';
import { request } from '../core/request.ts';
import { describeValue } from '../protocol/describe-value.ts';
import type { JsonObject } from '../protocol/json.ts';
import { toFieldError } from '../protocol/parse.ts';
import { type AskingOptions, splitOptions } from './asking-options.ts';
import { type ByAnswer, type NoAnswer, toNoAnswer, withDetails } from './no-answer.ts';
import {
  isStandardSchema,
  type OutputOf,
  parseStandard,
  type StandardSchema,
  toJsonSchema,
  type ValueProblem,
} from './standard-schema.ts';

/** How to ask for the values of a form. */
export interface FillInOptions extends AskingOptions<'form'> {
  /** What stands above the form. */
  message: string;
}

/** The person filled in the form. */
interface FilledIn<Values> extends ByAnswer {
  /** As the schema parses them: with its defaults and transforms. */
  values: Values;
  because?: undefined;
}

/**
 * The person filled in the form, but the schema refuses the values for a reason that its JSON Schema cannot say, such
 * as a `refine`. Ask again, with `message` above the form.
 */
interface InvalidValues extends ByAnswer {
  because: 'invalid';
  message: string;
  problems: ValueProblem[];
  /** What the person filled in. */
  given: JsonObject;
  values?: undefined;
}

/** The values of a form, or why there are none. */
export type FilledForm<Values> = FilledIn<Values> | InvalidValues | (NoAnswer & { values?: undefined });

/**
 * Asks a person to fill in a form, and waits for the values. The schema is one of zod 4 (any copy), of another library
 * with Standard JSON Schema, or a plain JSON Schema. Beckon accepts only what fits the JSON Schema; then the schema
 * itself parses the values. Aborting `signal` takes the form back and rejects with the signal's reason.
 *
 * @example
 * const form = await fillIn(beckon, z.object({ seats: z.number().int() }), { message: 'How many seats?' });
 * if (form.values === undefined) console.log(form.because, form.message); // expired Nobody answered in time.
 * else book(form.values.seats); // number
 */
export async function fillIn<Schema extends StandardSchema>(
  beckon: Beckon,
  schema: Schema,
  options: FillInOptions,
): Promise<FilledForm<OutputOf<Schema>>>;
/** With a plain JSON Schema the values have the type that you name: `fillIn<{ seats: number }>(…)`. */
export async function fillIn<Values = JsonObject>(
  beckon: Beckon,
  schema: Readonly<Record<string, unknown>>,
  options: FillInOptions,
): Promise<FilledForm<Values>>;
export async function fillIn(
  beckon: Beckon,
  schema: StandardSchema | Readonly<Record<string, unknown>>,
  options: FillInOptions,
): Promise<FilledForm<unknown>> {
  const { message, ...rest } = options;
  const { ask, wait } = splitOptions(rest);
  const jsonSchema = isStandardSchema(schema) ? toJsonSchema(schema) : schema;
  refuseUnlessObject(jsonSchema);
  const settled = await request(beckon, { ...ask, kind: 'form', request: { message, schema: jsonSchema } }, wait);
  if (settled.status !== 'answered') return toNoAnswer(settled);
  const { id, answeredBy, answer } = settled;
  const by = { id, answeredBy };
  if (!isStandardSchema(schema)) return { values: answer.values, ...by };
  const parsed = await parseStandard(schema, answer.values);
  if ('values' in parsed) return { values: parsed.values, ...by };
  return {
    because: 'invalid',
    message: withDetails('The values were filled in, but are not valid', describeProblems(parsed.problems)),
    problems: parsed.problems,
    given: answer.values,
    ...by,
  };
}

// The values of a form are the fields of an object. With another schema nobody could ever answer.
function refuseUnlessObject(schema: Readonly<Record<string, unknown>> | undefined): void {
  const type = schema?.['type'];
  if (type === undefined || type === 'object') return;
  const problem = { path: 'type', expected: 'the schema of an object', received: describeValue(type) };
  throw toFieldError('invalid_input', 'form', [problem]);
}

function describeProblems(problems: readonly ValueProblem[]): string {
  return problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
}
