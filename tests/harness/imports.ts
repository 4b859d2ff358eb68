import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { parseSync } from 'oxc-parser';

/** The text of each source file by its path, with forward slashes. */
export type Sources = Readonly<Record<string, string>>;

export interface Import {
  /** The module's name, or null when it is computed at run time. */
  readonly module: string | null;
  readonly isType: boolean;
  readonly line: number;
}

/** A node of the syntax tree. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
}

export function readSources(folder: string): Sources {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.[mc]?tsx?$/.test(name));
  return Object.fromEntries(
    names.sort().map((name) => [name.replaceAll(sep, '/'), readFileSync(join(folder, name), 'utf8')]),
  );
}

/** Every import of a file: static, dynamic, of types, and re-exports. */
export function findImports(file: string, source: string): Import[] {
  const found: Import[] = [];
  walk(parse(file, source), (node) => {
    const from = node['source'] as Node | null | undefined;
    const kinds = [
      'ImportDeclaration',
      'ExportNamedDeclaration',
      'ExportAllDeclaration',
      'ImportExpression',
      'TSImportType',
    ];
    if (!kinds.includes(node.type) || !from) return;
    const module = typeof from['value'] === 'string' ? from['value'] : null;
    found.push({ module, isType: isTypeOnly(node), line: lineOf(source, node) });
  });
  return found;
}

/** The circles in which files import each other. Types are gone at run time, so a circle of types alone is none. */
export function findCycles(files: Sources): string[] {
  return findCircles(Object.keys(files), (file) =>
    findImports(file, files[file] ?? '').flatMap(({ module, isType }) =>
      module?.startsWith('.') && !isType ? [resolve(file, module)] : [],
    ),
  );
}

/** The circles in a graph, each written with its way round. */
export function findCircles(names: readonly string[], findNext: (name: string) => readonly string[]): string[] {
  const circles: string[] = [];
  const finished = new Set<string>();
  const visit = (name: string, path: readonly string[]): void => {
    const at = path.indexOf(name);
    if (at >= 0) circles.push([...path.slice(at), name].join(' -> '));
    if (at >= 0 || finished.has(name)) return;
    for (const next of findNext(name)) visit(next, [...path, name]);
    finished.add(name);
  };
  for (const name of names) visit(name, []);
  return circles;
}

/** The path of a relative import, from the folder that the sources were read from. */
export function resolve(file: string, module: string): string {
  return posix.join(posix.dirname(file), module);
}

export function parse(file: string, source: string): Node {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  return program as unknown as Node;
}

export function walk(value: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(value)) for (const item of value) walk(item, visit);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  if ('type' in value) visit(value as Node);
  for (const field of Object.values(value)) walk(field, visit);
}

export function lineOf(source: string, node: Node): number {
  return source.slice(0, node.start).split('\n').length;
}

function isTypeOnly(node: Node): boolean {
  if (node.type === 'TSImportType' || node['importKind'] === 'type' || node['exportKind'] === 'type') return true;
  const names = (node['specifiers'] as Node[] | undefined) ?? [];
  return names.length > 0 && names.every((name) => name['importKind'] === 'type' || name['exportKind'] === 'type');
}
