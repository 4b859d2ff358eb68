import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { BeckonError } from '../../protocol/errors.ts';
import { importClaudeCode } from '../../rules/import-claude-code.ts';
import { importCodex } from '../../rules/import-codex.ts';
import { importOpencode } from '../../rules/import-opencode.ts';
import type { Imported, ImportPlace, SkippedRule } from '../../rules/imported.ts';

/** One agent whose rules can be imported: where it keeps them, and how they are read. */
interface Source {
  read(text: string, place: ImportPlace, others: readonly SkippedRule[]): Imported;
  /** Its files that count everywhere, below the home folder. */
  atHome: readonly string[];
  /** Its files that count in one project, below its folder. */
  inProject: readonly string[];
}

const SOURCES: Readonly<Record<string, Source>> = {
  'claude-code': {
    read: importClaudeCode,
    atHome: ['.claude/settings.json'],
    inProject: ['.claude/settings.json', '.claude/settings.local.json'],
  },
  codex: { read: importCodex, atHome: ['.codex/rules'], inProject: ['.codex/rules'] },
  opencode: {
    read: importOpencode,
    atHome: ['.config/opencode/opencode.json', '.config/opencode/opencode.jsonc'],
    inProject: ['opencode.json', 'opencode.jsonc', '.opencode/opencode.json', '.opencode/opencode.jsonc'],
  },
};
export const IMPORT_AGENTS = Object.keys(SOURCES);

/** What one file becomes. */
export interface ImportedFile extends Imported {
  file: string;
}

/** The project that a file in it counts for. */
interface ProjectPlace {
  folder: string;
  project?: string | undefined;
}

/** Reads the files of an agent: the one that is named, or the usual ones of this person and this project. */
export function readImports(agent: string, file: string | undefined, project: ProjectPlace): ImportedFile[] {
  const source = Object.hasOwn(SOURCES, agent) ? SOURCES[agent] : undefined;
  if (source === undefined) {
    throw new BeckonError(
      'invalid_input',
      `Expected one of ${IMPORT_AGENTS.join(', ')}, got ${JSON.stringify(agent)}.`,
    );
  }
  const found = listFiles(source, file, project);
  if (found.length === 0) {
    const places = [...source.atHome.map((path) => `~/${path}`), ...source.inProject];
    throw new BeckonError('invalid_input', `Found no rules of ${agent} in ${places.join(', ')}. Name the file.`);
  }
  const texts = found.map(({ path }) => readText(path));
  const read = found.map(({ place }, index) => source.read(texts[index] ?? '', place, []));
  // What one file forbids and Beckon cannot say keeps the other files from allowing it.
  return found.map(({ path, place }, index) => {
    const others = read.filter((_, other) => other !== index).flatMap(({ skipped }) => skipped);
    return { file: path, ...source.read(texts[index] ?? '', place, others) };
  });
}

function listFiles(
  source: Source,
  file: string | undefined,
  { folder, project: name }: ProjectPlace,
): { path: string; place: ImportPlace }[] {
  const home = homedir();
  const here: ImportPlace = { home, folder, project: name };
  if (file !== undefined) {
    const path = resolve(file);
    // A file of the person counts everywhere, wherever the command is run.
    const isAtHome = source.atHome.some((name) => path === join(home, name) || dirname(path) === join(home, name));
    return [{ path, place: isAtHome ? { home } : here }];
  }
  const own = source.atHome.flatMap((name) => expand(join(home, name))).map((path) => ({ path, place: { home } }));
  if (folder === home) return own;
  const project = source.inProject.flatMap((path) => expand(join(folder, path)));
  return [...own, ...project.map((path) => ({ path, place: here }))];
}

/** The file itself, or the `.rules` files of a folder. */
function expand(path: string): string[] {
  if (!existsSync(path)) return [];
  try {
    return readdirSync(path)
      .filter((name) => name.endsWith('.rules'))
      .toSorted()
      .map((name) => join(path, name));
  } catch {
    return [path]; // It is a file.
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new BeckonError('invalid_input', `Cannot read ${path} (${code}).`, { cause: error });
  }
}
