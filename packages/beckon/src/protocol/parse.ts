import * as z from 'zod/mini';
import { describeValue } from './describe-value.ts';
import { BeckonError, type ErrorCode, type FieldProblem } from './errors.ts';

/** What describes a value of the type `Output`. */
export type Schema<Output> = z.ZodMiniType<Output>;

/**
 * Parses untrusted input. Throws `invalid_input` (or `code`) that names each wrong field, what was expected and what
 * came.
 */
export function parse<Output>(
  schema: Schema<Output>,
  input: unknown,
  options: { what: string; code?: ErrorCode },
): Output {
  const result = z.safeParse(schema, input, { reportInput: true });
  if (result.success) return result.data;
  throw toFieldError(options.code ?? 'invalid_input', options.what, result.error.issues.flatMap(toProblems));
}

/** More problems than this are counted, but not listed: a hostile input could have a hundred thousand. */
const MOST_PROBLEMS = 50;

/** Builds the error for fields that are wrong; `what` names the value in the message, such as `ask input`. */
export function toFieldError(code: ErrorCode, what: string, problems: readonly FieldProblem[]): BeckonError {
  const shown = problems
    .slice(0, 3)
    .map(({ path, expected, received }) => `${path === '' ? '' : `${path}: `}expected ${expected}, got ${received}`);
  const more = problems.length > 3 ? ` (and ${problems.length - 3} more)` : '';
  return new BeckonError(code, `Invalid ${what}: ${shown.join('; ')}${more}`, {
    problems: problems.slice(0, MOST_PROBLEMS),
  });
}

/**
 * A check for a schema: the value is refused unless `holds`. `expected` ends the sentence "expected …", and
 * `received` the sentence "got …", where that is not the value itself but, for example, its size.
 */
export function must<T>(
  expected: string,
  holds: (value: T) => boolean,
  received: (value: T) => string = describeValue,
): (payload: z.core.ParsePayload<T>) => void {
  return (payload) => {
    if (!holds(payload.value)) addFault(payload, { path: [], expected, received: received(payload.value) });
  };
}

/** Reports one fault from inside a check, at `path` below the checked value. */
export function addFault(
  payload: z.core.ParsePayload,
  fault: { path: readonly PropertyKey[]; expected: string; received: string },
): void {
  payload.issues.push({
    code: 'custom',
    path: [...fault.path],
    input: payload.value,
    params: { expected: fault.expected, received: fault.received },
  });
}

/** Writes a path the way people write it in code: `request.options[2].label`. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce(joinPath, '');
}

/** The path of a field or an item inside the one at `parent`; an empty `parent` is the value itself. */
export function joinPath(parent: string, part: PropertyKey): string {
  if (typeof part === 'number') return `${parent}[${part}]`;
  const name = String(part);
  if (!/^[A-Za-z_$][\w$]*$/.test(name)) return `${parent}[${JSON.stringify(name)}]`;
  return parent === '' ? name : `${parent}.${name}`;
}

/** What a schema of this module can complain about. Every other rule is a `must`. */
type Issue = z.core.$ZodIssue;

function toProblems(issue: Issue): FieldProblem[] {
  if (issue.code === 'unrecognized_keys') {
    const parent = issue.input as Record<string, unknown>;
    return issue.keys.map((key) => ({
      path: formatPath([...issue.path, key]),
      expected: 'no field of this name',
      received: describeValue(parent[key]),
    }));
  }
  return [{ path: formatPath(issue.path), expected: toExpected(issue), received: toReceived(issue) }];
}

function toExpected(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return TYPE_NAMES[issue.expected] ?? issue.expected;
    case 'invalid_value':
      return joinOr(issue.values.map((value) => JSON.stringify(value)));
    case 'invalid_union':
      return 'options' in issue
        ? joinOr((issue.options as unknown[]).map((value) => JSON.stringify(value)))
        : joinOr(issue.errors.flat().map(toExpected));
    case 'custom':
      return String(issue.params?.['expected'] ?? issue.message);
    default:
      return issue.message;
  }
}

function toReceived(issue: Issue): string {
  if (issue.code === 'custom' && issue.params !== undefined) return String(issue.params['received']);
  // For a wrong discriminator zod gives the object around it.
  if (issue.code === 'invalid_union' && 'discriminator' in issue) {
    return describeValue((issue.input as Record<string, unknown>)[String(issue.discriminator)]);
  }
  return describeValue(issue.input);
}

function joinOr(parts: readonly string[]): string {
  return parts.join(' or ');
}

const TYPE_NAMES: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
};
