import * as z from 'zod/mini';
import { formatPath } from '../protocol/parse.ts';
import type { Registry } from './component.ts';
import { COMPONENTS } from './registry.ts';
import { isPart, MOST_DEPTH, MOST_PARTS, type Part, type Tree } from './tree.ts';

/** What is wrong with one part, for people and for a model that repairs it. */
export interface PartProblem {
  /** Where, such as `[2].items[0].content`; empty for the tree itself. */
  path: string;
  /** The `type` of the part, if it has one. */
  type?: string;
  message: string;
}

/** A part whose props match its schema, or what is wrong with it. */
export type CheckedPart =
  | { ok: true; type: string; key?: string; props: Record<string, unknown> }
  | { ok: false; type?: string; problems: PartProblem[] };

/** A tree without its broken parts. */
export interface CheckedTree {
  tree: Tree[];
  problems: PartProblem[];
  /** The number of valid parts. */
  parts: number;
}

/**
 * Checks one part alone. Its slots are left as they are, so a broken part inside does not spoil this one.
 * `null` counts as absent, and `{ type, data: { …props } }` as `{ type, …props }`.
 */
export function checkPart(json: unknown, registry: Registry = COMPONENTS): CheckedPart {
  if (!isPart(json)) {
    return { ok: false, problems: [{ path: '', message: 'expected a component: an object with a "type"' }] };
  }
  const { type } = json;
  const component = Object.hasOwn(registry, type) ? registry[type] : undefined;
  if (component === undefined) {
    const names = Object.keys(registry).join(', ');
    const message = `there is no component ${JSON.stringify(type.slice(0, 100))}; there are: ${names}`;
    return { ok: false, type, problems: [{ path: '', type, message }] };
  }
  const result = z.safeParse(component.schema, toProps(json, component.schema));
  if (!result.success) {
    const problems = result.error.issues.map((issue) => ({
      path: formatPath(issue.path),
      type,
      message: toMessage(issue),
    }));
    return { ok: false, type, problems };
  }
  const key = toKey(json.key);
  return { ok: true, type, ...(key !== undefined && { key }), props: result.data as Record<string, unknown> };
}

/**
 * Checks every part of a tree, including parts inside parts. Returns the tree of the valid parts, in the form
 * `{ type, key?, …props }`; each of the others is a problem and does not spoil its neighbors.
 */
export function checkTree(json: unknown, registry: Registry = COMPONENTS): CheckedTree {
  const problems: PartProblem[] = [];
  let seen = 0;
  let parts = 0;

  const checkAny = (value: unknown, path: string, depth: number): Tree | undefined => {
    if (depth > MOST_DEPTH) return report(path, `expected at most ${MOST_DEPTH} levels inside each other`);
    if (Array.isArray(value)) return checkItems(value, path, depth);
    return checkOne(value, path, depth);
  };
  const checkItems = (items: readonly unknown[], path: string, depth: number): Tree[] =>
    items.flatMap((item, index) => {
      const checked = checkAny(item, `${path}[${index}]`, depth + 1);
      return checked === undefined ? [] : [checked];
    });
  const checkOne = (value: unknown, path: string, depth: number): Part | undefined => {
    seen += 1;
    if (seen > MOST_PARTS) {
      if (seen === MOST_PARTS + 1) report(path, `expected at most ${MOST_PARTS} components`);
      return undefined;
    }
    const checked = checkPart(value, registry);
    if (!checked.ok) {
      problems.push(...checked.problems.map((problem) => ({ ...problem, path: join(path, problem.path) })));
      return undefined;
    }
    parts += 1;
    const { type, key, props } = checked;
    for (const slot of registry[type]?.slots ?? []) {
      editSlot(props, slot.split('.'), path, (content, at) =>
        typeof content === 'string' ? content : (checkAny(content, at, depth + 1) ?? []),
      );
    }
    return { type, ...(key !== undefined && { key }), ...props };
  };
  const report = (path: string, message: string): undefined => {
    problems.push({ path, message });
    return undefined;
  };

  const tree = checkAny(Array.isArray(json) ? json : [json], '', 0);
  return { tree: Array.isArray(tree) ? tree : [], problems, parts };
}

/** The problems as lines for a person or a model. */
export function describeProblems(problems: readonly PartProblem[]): string {
  return problems
    .map(
      ({ path, type, message }) =>
        `${path === '' ? 'the tree' : path}${type === undefined ? '' : ` (${type})`}: ${message}`,
    )
    .join('\n');
}

/**
 * Changes what a path such as `items[].content` leads to. It may change the props, because the schema made new ones.
 */
function editSlot(
  value: unknown,
  [step, ...rest]: readonly string[],
  path: string,
  edit: (content: unknown, path: string) => unknown,
): void {
  if (step === undefined || typeof value !== 'object' || value === null) return;
  const fields = value as Record<string, unknown>;
  const name = step.replace(/\[\]$/, '');
  if (fields[name] === undefined) return;
  if (step.endsWith('[]') && Array.isArray(fields[name])) {
    for (const [index, item] of fields[name].entries()) editSlot(item, rest, `${join(path, name)}[${index}]`, edit);
  } else if (rest.length > 0) editSlot(fields[name], rest, join(path, name), edit);
  else fields[name] = edit(fields[name], join(path, name));
}

function toProps(part: Part, schema: z.ZodMiniType): unknown {
  const { type: _type, key: _key, ...props } = part;
  const { data } = props;
  const isEnvelope =
    typeof data === 'object' && data !== null && !Array.isArray(data) && Object.keys(props).length === 1;
  const hasOwnData = 'shape' in schema && typeof schema.shape === 'object' && 'data' in (schema.shape ?? {});
  return withoutNulls(isEnvelope && !hasOwnData ? data : props, schema);
}

// Models write null for what is missing. It is removed unless the schema allows it.
function withoutNulls(props: object, schema: z.ZodMiniType): object {
  const shape = 'shape' in schema ? (schema.shape as Record<string, z.ZodMiniType>) : {};
  return Object.fromEntries(
    Object.entries(props).filter(([name, value]) => {
      if (value !== null) return true;
      const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
      return field !== undefined && z.safeParse(field, null).success;
    }),
  );
}

function toKey(key: unknown): string | undefined {
  if (typeof key === 'string' && key !== '') return key;
  return typeof key === 'number' ? String(key) : undefined;
}

function toMessage(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${issue.expected}`;
    case 'invalid_value':
      return `expected ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
    case 'invalid_union':
      return `expected ${[...new Set(issue.errors.flat().map((one) => toMessage(one).replace(/^expected /, '')))].join(' or ')}`;
    default:
      return issue.message;
  }
}

function join(path: string, rest: string): string {
  if (path === '' || rest === '' || rest.startsWith('[')) return path + rest;
  return `${path}.${rest}`;
}
