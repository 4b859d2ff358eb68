import * as z from 'zod/mini';
import { BeckonError } from '../protocol/errors.ts';
import type { JsonObject } from '../protocol/json.ts';
import { formatPath } from '../protocol/parse.ts';

/**
 * A schema of zod 4, or of another library that follows Standard Schema. Only the parts that we read, so any version
 * fits.
 */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
    readonly jsonSchema?: { readonly input: (options: { target: string }) => Record<string, unknown> };
  };
}

type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** One thing that is wrong with a value, in the words of the schema. An empty `path` is the value itself. */
export interface ValueProblem {
  path: string;
  message: string;
}

/** What a schema of a library gives for values that pass. */
export type OutputOf<Schema extends StandardSchema> = NonNullable<Schema['~standard']['types']>['output'];

/** Whether a schema is one of a library. The JSON Schema that zod makes counts too: it still knows its schema. */
export function isStandardSchema(schema: unknown): schema is StandardSchema {
  const standard = (schema as Partial<StandardSchema> | undefined)?.['~standard'];
  return typeof standard?.validate === 'function';
}

/** The JSON Schema of the values that a person fills in, before transforms and defaults. Throws `invalid_input`. */
export function toJsonSchema(schema: StandardSchema): Record<string, unknown> {
  const { vendor, jsonSchema } = schema['~standard'];
  try {
    if (isMadeJsonSchema(schema)) return withoutLookaround(schema);
    if (jsonSchema !== undefined) return withoutLookaround(jsonSchema.input({ target: 'draft-2020-12' }));
    // Older versions of zod, and zod/mini, cannot say it themselves.
    if ('_zod' in schema) return withoutLookaround(z.toJSONSchema(schema as unknown as z.ZodMiniType, { io: 'input' }));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new BeckonError(
      'invalid_input',
      `A form cannot show this schema: ${why}. Ask for a text or a number instead.`,
      {
        cause,
      },
    );
  }
  throw new BeckonError(
    'invalid_input',
    `Expected a schema that gives its JSON Schema, got one of ${vendor} that does not. Pass the JSON Schema itself.`,
  );
}

// Beckon refuses patterns that can take years. The schema itself checks them, on the agent's side.
function withoutLookaround(schema: object): Record<string, unknown> {
  const text = JSON.stringify(schema, (key, value: unknown) =>
    key === 'pattern' && typeof value === 'string' && /\(\?<?[=!]/.test(value) ? undefined : value,
  );
  return JSON.parse(text) as Record<string, unknown>;
}

/** Parses values as the schema of the library says, or tells what is wrong with them. */
export async function parseStandard<Output>(
  schema: StandardSchema<Output>,
  values: JsonObject,
): Promise<{ values: Output } | { problems: ValueProblem[] }> {
  const result = await schema['~standard'].validate(values);
  return result.issues === undefined ? { values: result.value } : { problems: result.issues.map(toProblem) };
}

// What z.toJSONSchema gives is a plain object with its schema hidden in it; schemas of some libraries are plain, too.
function isMadeJsonSchema(schema: object): boolean {
  return Object.getPrototypeOf(schema) === Object.prototype && !Object.keys(schema).includes('~standard');
}

function toProblem({ message, path = [] }: StandardIssue): ValueProblem {
  return { path: formatPath(path.map((part) => (typeof part === 'object' ? part.key : part))), message };
}
