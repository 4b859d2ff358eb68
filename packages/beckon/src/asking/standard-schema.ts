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
    readonly jsonSchema?: { readonly input: (options: JsonSchemaOptions) => Record<string, unknown> };
  };
}

/** `libraryOptions` are those of the library itself; others do not look at them. */
interface JsonSchemaOptions {
  target: string;
  libraryOptions?: Record<string, unknown> | undefined;
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
    if (isMadeJsonSchema(schema)) return withoutSlowPatterns(schema);
    const zodOptions = { io: 'input', override: dropPatternsWithFlags } as const;
    if (jsonSchema !== undefined)
      return withoutSlowPatterns(jsonSchema.input({ target: 'draft-2020-12', libraryOptions: zodOptions }));
    // Older versions of zod, and zod/mini, cannot say it themselves.
    if ('_zod' in schema) return withoutSlowPatterns(z.toJSONSchema(schema as unknown as z.ZodMiniType, zodOptions));
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

// Lookaround, and what refers back to a group. Without them no pattern can take years.
const SLOW_PATTERN = /\(\?<?[=!]|\\[1-9k]/;

// Beckon refuses such patterns. The schema itself checks them, on the agent's side.
function withoutSlowPatterns(schema: object): Record<string, unknown> {
  const text = JSON.stringify(schema, (key, value: unknown) =>
    key === 'pattern' && typeof value === 'string' && SLOW_PATTERN.test(value) ? undefined : value,
  );
  return JSON.parse(text) as Record<string, unknown>;
}

interface ZodParts {
  _zod: { def: { pattern?: RegExp; checks?: readonly ZodParts[] } };
}

// JSON Schema has no flags, so /^v1$/i would refuse "V1". The schema itself checks these, too.
function dropPatternsWithFlags({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: object }): void {
  const { def } = (zodSchema as ZodParts)._zod;
  const patterns = [def.pattern, ...(def.checks ?? []).map((check) => check._zod.def.pattern)];
  if (!patterns.some((pattern) => /[ims]/.test(pattern?.flags ?? ''))) return;
  // One pattern, or several of them.
  for (const field of ['pattern', 'allOf']) Reflect.deleteProperty(jsonSchema, field);
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
