import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { type CatalogueEntry, findSchemaProblems } from '../../components/catalogue.ts';
import { COMPONENTS } from '../../components/registry.ts';
import { NotLiteral, readLiteral } from './literal.ts';

/** An invalid component, and why. */
export interface Misfit {
  file: string;
  line: number;
  problem: string;
}

/** What a scan found. */
export interface Found {
  components: Record<string, CatalogueEntry & { file: string }>;
  misfits: Misfit[];
  /** How many files were read. */
  files: number;
}

const SOURCE = /\.(?:[cm]?[jt]s|[jt]sx)$/;
const NOT_OURS =
  /(?:^|[/\\])(?:node_modules|dist|build|coverage|\.[^/\\]+)(?:[/\\]|$)|\.d\.[cm]?ts$|\.(?:test|spec|stories)\./;
const MARK = /^export\s+const\s+metadata\b[^=]*=/gm;
const MOST_BYTES = 1_000_000;

/**
 * Finds components in the source files of a folder: each exports `metadata` with `type`, `description` and `schema`.
 * Files are read, never run.
 */
export function scan(folder: string): Found {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => SOURCE.test(name) && !NOT_OURS.test(name))
    .sort();
  const found: Found = { components: {}, misfits: [], files: names.length };
  for (const name of names) {
    const source = readFileSync(join(folder, name), 'utf8');
    if (source.length > MOST_BYTES) continue;
    const file = relative('.', name).split(sep).join('/');
    for (const mark of source.matchAll(MARK)) addComponent(found, file, source, mark.index + mark[0].length);
  }
  return found;
}

function addComponent(found: Found, file: string, source: string, start: number): void {
  const misfit = (problem: string, offset = start): void => {
    found.misfits.push({ file, line: source.slice(0, offset).split('\n').length, problem });
  };
  let metadata: unknown;
  try {
    metadata = readLiteral(source, start);
  } catch (error) {
    if (!(error instanceof NotLiteral)) throw error;
    return misfit(`cannot read the metadata without running the file: ${error.message}`, error.offset);
  }
  const { type, description, schema } = (metadata ?? {}) as Record<string, unknown>;
  const problems = [...findNameProblems(type, found), ...findWordProblems(description), ...findSchemaProblems(schema)];
  if (problems.length > 0) {
    for (const problem of problems) misfit(problem);
    return undefined;
  }
  found.components[String(type)] = {
    description: String(description),
    schema: schema as Record<string, unknown>,
    file,
  };
  return undefined;
}

function findNameProblems(type: unknown, { components }: Found): string[] {
  if (typeof type !== 'string' || !/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(type)) {
    return ['"type" must be a name such as "price-card": lower-case letters, digits and hyphens'];
  }
  if (Object.hasOwn(COMPONENTS, type)) return [`"${type}" is a built-in component; choose another name`];
  const earlier = components[type];
  return earlier === undefined ? [] : [`"${type}" is already defined in ${earlier.file}`];
}

function findWordProblems(description: unknown): string[] {
  return typeof description === 'string' && description.trim() !== ''
    ? []
    : ['"description" must tell a model what the component shows, and when to use it'];
}
