import { type FieldProblem, joinPath } from '../../../../protocol/index.ts';

/** The path of a field as the server writes it for forms, where a name of digits reads like an index. */
export function toFieldPath(parent: string, part: string | number): string {
  return joinPath(parent, /^\d+$/.test(String(part)) ? Number(part) : part);
}

/** Messages by the path of their field. */
export type Problems = ReadonlyMap<string, string>;

/**
 * Assigns each problem of the server to its field, or to the nearest field around it in `paths`, the paths of all
 * drawn fields. The root field takes the rest.
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
