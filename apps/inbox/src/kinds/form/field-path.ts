import type { FieldProblem } from 'beckon/protocol';

/** Where a field is, written as the server writes it: `values.people[2].name`. */
export function joinPath(parent: string, part: string | number): string {
  if (typeof part === 'number' || /^\d+$/.test(part)) return `${parent}[${part}]`;
  if (/^[A-Za-z_$][\w$]*$/.test(part)) return `${parent}.${part}`;
  return `${parent}[${JSON.stringify(part)}]`;
}

/** Messages by the path of their field. */
export type Problems = ReadonlyMap<string, string>;

/**
 * Gives each of the server's problems to the field it is about, or to the nearest one around it: `paths` are those of the fields
 * that are drawn. The root field takes what belongs nowhere else.
 */
export function assignProblems(
  problems: readonly FieldProblem[],
  paths: ReadonlySet<string>,
  toMessage: (problem: FieldProblem) => string,
): Problems {
  const assigned = new Map<string, string>();
  for (const problem of problems) {
    const path = findDrawn(problem.path, paths);
    const earlier = assigned.get(path);
    const message = path === problem.path ? toMessage(problem) : `${problem.path}: ${toMessage(problem)}`;
    assigned.set(path, earlier === undefined ? message : `${earlier} ${message}`);
  }
  return assigned;
}

function findDrawn(path: string, paths: ReadonlySet<string>): string {
  let best = 'values';
  for (const drawn of paths) {
    const goesOn = path.startsWith(drawn) && /^$|^[.[]/.test(path.slice(drawn.length));
    if (goesOn && drawn.length > best.length) best = drawn;
  }
  return best;
}
