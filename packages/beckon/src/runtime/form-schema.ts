import { Ajv, type ErrorObject, MissingRefError, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { RE2JS } from 're2js';
import type { CheckForm } from '../core/check-answer.ts';
import { describeValue } from '../protocol/describe-value.ts';
import type { FieldProblem } from '../protocol/errors.ts';
import type { JsonObject } from '../protocol/json.ts';
import { formatPath, toFieldError } from '../protocol/parse.ts';

/** More problems than this are not reported: nobody reads them. */
const MOST_PROBLEMS = 20;

/** Throws `invalid_input` for a schema that answers cannot be checked against. */
export function parseFormSchema(schema: JsonObject): void {
  compile(schema);
}

/** Checks values against a form's JSON Schema, of draft 2020-12 or 7. */
export const checkForm: CheckForm = (schema, values) => {
  const validate = compile(schema);
  if (isValid(validate, values)) return [];
  const errors = validate.errors ?? [];
  if (errors.length === 0) return [UNDECIDED];
  return errors.slice(0, MOST_PROBLEMS).map((error) => toProblem(error, values));
};

const UNDECIDED: FieldProblem = {
  path: '',
  expected: 'values that the schema can decide about',
  received: 'some for which it refers to itself without end',
};

const OPTIONS: Options = {
  allErrors: true,
  // JSON Schema says to ignore unknown keywords.
  strict: false,
  logger: false,
  code: { regExp: Object.assign(toRegExp, { code: 'toRegExp' }) },
};

// The patterns come from an agent. One written for JavaScript can take years on the right input; RE2 takes linear time.
function toRegExp(pattern: string): { test(text: string): boolean; toString(): string } {
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
  // ajv caches patterns by their text, so two different ones must not share it.
  return { test: (text) => compiled.matcher(text).find(), toString: () => pattern };
}

// A validator remembers each `$id` it meets. Used for one schema only, it can neither grow nor confuse two schemas.
const ONCE: Options = { ...OPTIONS, meta: false, validateSchema: false };
const DRAFTS = {
  'draft-07': { meta: new Ajv(OPTIONS), create: () => new Ajv(ONCE) },
  '2020-12': { meta: new Ajv2020(OPTIONS), create: () => new Ajv2020(ONCE) },
};

function compile(schema: JsonObject): ValidateFunction {
  const { $schema } = schema;
  const isDraft07 = typeof $schema === 'string' && $schema.includes('json-schema.org/draft-07/');
  const { meta, create } = DRAFTS[isDraft07 ? 'draft-07' : '2020-12'];
  try {
    if (meta.validateSchema(schema) !== true) throw new Error(meta.errorsText(meta.errors));
    // It would return a promise, which is truthy, even for invalid values.
    if ('$async' in schema) throw new Error('the keyword "$async"');
    return formats.default(create()).compile(schema);
  } catch (error) {
    throw toFieldError('invalid_input', 'form', [
      {
        path: 'request.schema',
        expected: 'a JSON Schema of draft 2020-12 or 7, without references to other documents and with RE2 patterns',
        received: explain(error),
      },
    ]);
  }
}

// A recursive schema may end for some values only. The others do not satisfy it.
function isValid(validate: ValidateFunction, values: JsonObject): boolean {
  try {
    return validate(values) === true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function explain(error: unknown): string {
  if (error instanceof MissingRefError) return `a reference to ${JSON.stringify(error.missingRef)}`;
  return error instanceof Error ? error.message : String(error);
}

function toProblem(error: ErrorObject, values: JsonObject): FieldProblem {
  const path = error.instancePath.split('/').slice(1).map(unescapePointer);
  const missing = error.params['missingProperty'] ?? error.params['additionalProperty'];
  if (typeof missing === 'string') path.push(missing);
  const received = path.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], values);
  return {
    path: formatPath(path.map((part) => (/^\d+$/.test(part) ? Number(part) : part))),
    expected: toExpected(error),
    received: describeValue(received),
  };
}

function toExpected({ keyword, params, message }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return 'a value';
    case 'additionalProperties':
      return 'no field of this name';
    case 'enum':
      return `one of ${(params['allowedValues'] as unknown[]).map((value) => JSON.stringify(value)).join(', ')}`;
    case 'type':
      return `a value of type ${String(params['type'])}`;
    default:
      return `a value that ${message}`;
  }
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}
