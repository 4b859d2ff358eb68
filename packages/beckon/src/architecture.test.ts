import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findUses } from '../../../tests/harness/globals.ts';
import {
  findCycles,
  findImports,
  type Import,
  readSources,
  resolve,
  type Sources,
} from '../../../tests/harness/imports.ts';

/** What a room may import besides its own files. A trailing `*` matches any ending. */
interface Rule {
  readonly rooms: readonly string[];
  readonly modules: readonly string[];
}

const ANYTHING: Rule = { rooms: ['*'], modules: ['*'] };

/**
 * Who may import whom. ARCHITECTURE.md shows the same table: change both together. The longest matching folder decides.
 */
const RULES: Readonly<Record<string, Rule>> = {
  protocol: { rooms: [], modules: ['zod', 'zod/mini'] },
  core: { rooms: ['protocol'], modules: [] },
  asking: { rooms: ['protocol', 'core'], modules: ['zod/mini'] },
  presentation: { rooms: ['protocol'], modules: [] },
  diff: { rooms: ['protocol', 'presentation'], modules: ['diff'] },
  calls: { rooms: ['protocol'], modules: ['unbash'] },
  risk: { rooms: ['protocol', 'presentation', 'calls'], modules: [] },
  rules: { rooms: ['protocol', 'core', 'presentation', 'calls', 'risk'], modules: [] },
  timing: { rooms: [], modules: [] },
  machine: { rooms: ['protocol'], modules: ['node:*'] },
  where: { rooms: ['protocol', 'core', 'machine'], modules: ['node:*', 'undici'] },
  store: { rooms: ['protocol', 'core'], modules: ['node:*'] },
  'store/sqlite': { rooms: ['protocol', 'store'], modules: ['node:*', 'node:sqlite'] },
  'store/postgres': { rooms: ['protocol', 'store', 'timing'], modules: ['node:*', 'pg'] },
  runtime: {
    rooms: ['protocol', 'core', 'presentation', 'risk', 'rules', 'timing'],
    modules: ['node:*', 'ajv', 'ajv/*', 'ajv-formats', 're2js', 'uuid'],
  },
  client: { rooms: ['protocol', 'core', 'asking', 'timing'], modules: [] },
  context: { rooms: ['protocol', 'core', 'calls'], modules: ['node:*'] },
  callback: { rooms: ['protocol', 'core', 'components', 'machine', 'timing'], modules: ['node:*', 'ai', '@ai-sdk/*'] },
  bridge: {
    rooms: ['protocol', 'core', 'machine', 'timing'],
    modules: ['node:*', 'undici', 'standardwebhooks', 'uuid'],
  },
  notify: {
    rooms: ['protocol', 'core', 'presentation', 'risk', 'timing', 'machine', 'bridge'],
    modules: ['node:*', 'undici', 'nodemailer'],
  },
  coordinator: {
    rooms: ['protocol', 'core', 'presentation', 'risk', 'timing', 'adapters/claude'],
    modules: ['node:*', 'zod/*'],
  },
  components: { rooms: ['protocol'], modules: ['zod', 'zod/*'] },
  react: {
    rooms: ['components', 'protocol', 'core', 'presentation', 'diff', 'risk'],
    modules: ['react', 'react-*', 'rehype-sanitize', 'remark-gfm', 'lowlight', 'highlight.js/*', 'zod/mini'],
  },
  terminal: {
    rooms: ['protocol', 'core', 'presentation', 'diff', 'risk'],
    modules: ['node:*', '@clack/prompts', 'fast-*'],
  },
  'connectors/terminal': {
    rooms: ['protocol', 'core', 'presentation', 'diff', 'risk', 'terminal'],
    modules: ['node:*'],
  },
  // What chats have in common: they may not import each other.
  'connectors/shared': {
    rooms: ['protocol', 'core', 'presentation', 'diff', 'risk', 'machine', 'timing'],
    modules: ['node:*'],
  },
  'connectors/telegram': {
    rooms: ['protocol', 'core', 'presentation', 'risk', 'timing', 'connectors/shared'],
    modules: ['node:*', 'grammy', 'grammy/types'],
  },
  'connectors/slack': {
    rooms: ['protocol', 'core', 'presentation', 'risk', 'timing', 'connectors/shared'],
    modules: ['node:*', 'zod/mini', '@slack/web-api', '@slack/socket-mode'],
  },
  'adapters/claude': { rooms: ['protocol', 'core', 'context'], modules: ['node:*', 'zod/mini'] },
  'adapters/hooks': { rooms: ['protocol', 'core', 'adapters/claude'], modules: ['node:*', 'zod/mini'] },
  'adapters/claude-agent-sdk': {
    rooms: ['protocol', 'core', 'adapters/claude'],
    modules: ['node:*', '@anthropic-ai/*'],
  },
  'adapters/codex': {
    rooms: ['protocol', 'core', 'timing', 'adapters/claude'],
    modules: ['node:*', 'zod/mini', 'ws'],
  },
  'adapters/acp': { rooms: ['protocol', 'core', 'adapters/claude'], modules: ['node:*', 'zod/mini'] },
  // What adapters inside an agent's process have in common.
  'adapters/shared': { rooms: ['protocol', 'core', 'asking'], modules: ['node:*'] },
  'adapters/ai-sdk': { rooms: ['protocol', 'core', 'asking', 'adapters/shared'], modules: ['ai', 'zod'] },
  'adapters/langgraph': { rooms: ['protocol', 'core', 'asking', 'adapters/shared'], modules: ['@langchain/langgraph'] },
  'adapters/openai-agents': { rooms: ['core', 'asking', 'adapters/shared'], modules: ['@openai/agents'] },
  'adapters/opencode': { rooms: ['protocol', 'adapters/claude', 'adapters/shared'], modules: ['node:*', 'zod/mini'] },
  'adapters/pi': { rooms: ['protocol', 'adapters/claude', 'adapters/shared'], modules: ['node:*', 'zod/mini'] },
  'adapters/mcp': { rooms: ['protocol', 'core'], modules: ['node:*', 'zod', '@modelcontextprotocol/*'] },
  server: {
    rooms: ['protocol', 'core', 'presentation', 'risk', 'machine', 'timing'],
    modules: ['node:*', 'zod/mini', 'fastify', 'fastify/*', 'fastify-*', '@fastify/*', 'prom-client'],
  },
  // The rooms meet only here: in the daemon, the command line and the entry files beside the folders.
  daemon: {
    rooms: [
      'protocol',
      'core',
      'store/sqlite',
      'runtime',
      'server',
      'bridge',
      'notify',
      'callback',
      'machine',
      'where',
      'timing',
      'adapters/codex',
      'adapters/hooks',
      'adapters/mcp',
      'agents',
      '',
    ],
    modules: ['node:*', 'zod/mini', 'pino', 'pino-pretty', 'fastify'],
  },
  // Loaded by other programs, whose start it must not slow down.
  agents: {
    rooms: [
      'protocol',
      'core',
      'runtime',
      'client',
      'machine',
      'where',
      'adapters/shared',
      'adapters/opencode',
      'adapters/pi',
    ],
    modules: ['node:*', 'zod/mini'],
  },
  testing: { rooms: ['protocol', 'core', 'presentation'], modules: ['node:*'] },
  // Suites drive whole rooms. Authors of connectors and stores run them, so they need nothing but vitest.
  'testing/suites': {
    rooms: ['protocol', 'core', 'coordinator', 'testing', ''],
    modules: ['node:*', 'vitest'],
  },
  cli: ANYTHING,
  '': ANYTHING,
};

/** Drivers that one folder alone may import, although the folders around it may import `node:*`. */
const ONLY_IN: Readonly<Record<string, string>> = { 'node:sqlite': 'store/sqlite', pg: 'store/postgres' };

/** Time, randomness and timers are handed to these rooms, never taken by them. */
const PURE_ROOMS = ['protocol', 'core', 'asking', 'presentation'];
const IMPURE = [
  'Date.now',
  'new Date()',
  'Date()',
  'Math.random',
  'performance',
  'crypto',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'process',
];
/** A library does not own the process that it runs in. */
const FOR_CLI = ['console', 'process.exit', 'process.on', 'process.once', 'process.addListener'];

const sources = readSources(dirname(fileURLToPath(import.meta.url)));

test('every room of the table is needed', () => {
  const used = new Set(
    Object.entries(sources).flatMap(([file, source]) =>
      isTest(file) ? [] : findImports(file, source).map(({ module }) => toRoomImport(file, module ?? '')),
    ),
  );
  const rules = Object.entries(RULES).filter(([, rule]) => rule !== ANYTHING);
  const listed = rules.flatMap(([room, { rooms }]) => rooms.map((other) => `${room} -> ${other}`));
  expect(listed.filter((line) => !used.has(line))).toEqual([]);
});

test('ARCHITECTURE.md shows the same table', () => {
  const page = readFileSync(new URL('../../../ARCHITECTURE.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `([\w/-]+)` \| ([^|]*) \| [^|]* \|$/gm)].map(([, room, allowed = '']) => [
    room,
    [...allowed.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  ]);
  const rules = Object.entries(RULES).filter(([, rule]) => rule !== ANYTHING);
  const expected = rules.map(([room, { rooms }]) => [room, rooms.map((other) => (other === '' ? 'index.ts' : other))]);
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(expected));
});

test('every import follows the table of rooms', () => {
  expect(Object.keys(sources).length).toBeGreaterThan(1);
  expect(findForbiddenImports(sources)).toEqual([]);
});

test('no files import each other in a circle', () => {
  expect(findCycles(sources)).toEqual([]);
});

test.each([
  'client/index.ts',
  'components/index.ts',
  'diff/index.ts',
  'presentation/index.ts',
  'protocol/index.ts',
  'react/index.ts',
  'react/parts.ts',
])('everything that %s brings along runs in browsers', (entry) => {
  const files = [...findReached(sources, entry)];
  const modules = files.flatMap((file) => findImports(file, sources[file] ?? '').map(({ module }) => module));
  const rooms = entry.startsWith('react') ? ['react', 'diff'] : entry.startsWith('diff') ? ['diff'] : [];
  const allowed = ['./*', '../*', 'zod/mini', ...rooms.flatMap((room) => RULES[room]?.modules ?? [])];
  expect(modules.filter((module) => !matches(allowed, module ?? ''))).toEqual([]);
  const uses = files.flatMap((file) => findUses(file, sources[file] ?? '').map(({ use }) => `${file}: ${use}`));
  expect(uses.filter((use) => / (process|Buffer|setImmediate|require)\b/.test(use))).toEqual([]);
});

test('.testsuite.ts is for suites alone, and they are in one room', () => {
  const suites = Object.entries(sources).filter(([file]) => file.endsWith('.testsuite.ts'));
  expect(suites.length).toBeGreaterThan(20);
  const isSuite = (file: string, source: string): boolean =>
    file.startsWith('testing/suites/') && /import \{[^}]*\b(describe|test)\b[^}]*\} from 'vitest'/.test(source);
  expect(suites.filter(([file, source]) => !isSuite(file, source))).toEqual([]);
});

test('pure rooms take no time, randomness or timer, and no room owns the process', () => {
  expect(findForbiddenUses(sources)).toEqual([]);
});

test.each([
  ['a static import', 'core/a.ts', "import { x } from 'node:fs';", 'core may not import node:fs'],
  ['a type import', 'core/a.ts', "import type { X } from 'ajv';", 'core may not import ajv'],
  ['a dynamic import', 'core/a.ts', "await import('../store/b.ts');", 'core may not import store'],
  ['an import type', 'core/a.ts', "type X = import('../store/b.ts').X;", 'core may not import store'],
  ['a re-export', 'protocol/a.ts', "export { x } from '../core/b.ts';", 'protocol may not import core'],
  ['a re-export of all', 'protocol/a.ts', "export * from '../core/b.ts';", 'protocol may not import core'],
  ['a computed import', 'core/a.ts', 'await import(name);', 'core may not import what is computed at run time'],
  [
    'a neighbour',
    'connectors/telegram/a.ts',
    "import '../terminal/b.ts';",
    'connectors/telegram may not import connectors/terminal',
  ],
  [
    'a connector in the coordinator',
    'coordinator/a.ts',
    "import '../connectors/terminal/index.ts';",
    'coordinator may not import connectors/terminal',
  ],
  ['a driver in a foreign place', 'runtime/a.ts', "import 'node:sqlite';", 'only store/sqlite may import node:sqlite'],
  ['the entry file', 'runtime/a.ts', "import '../index.ts';", 'runtime may not import the entry files'],
  ['a folder without a rule', 'helpers/a.ts', "import 'zod';", 'helpers has no rule'],
  [
    'a way out of the package',
    'cli/a.ts',
    "import '../../../tests/x.ts';",
    'the package may not import files outside of src',
  ],
  ['a test file', 'runtime/a.ts', "import './b.test.ts';", 'only tests may import tests'],
  ['a suite', 'cli/a.ts', "import '../testing/suites/a.testsuite.ts';", 'only tests may import testing'],
  ['a double', 'cli/a.ts', "import '../testing/fake-clock.ts';", 'only tests may import testing'],
  ['a harness', 'testing/suites/a.ts', "import '../harness/b.ts';", 'only tests may import tests'],
  ['a stray module in a test', 'core/a.test.ts', "import 'jest';", 'a test may not import jest'],
])('%s that breaks the table is reported', (_, file, source, complaint) => {
  expect(findForbiddenImports({ [file]: source })).toEqual([expect.stringContaining(`${file}:1: ${complaint}`)]);
});

test.each([
  ['core/a.ts', "import type { X } from '../protocol/b.ts'; import './c.ts';"],
  ['store/postgres/a.ts', "import pg from 'pg'; import '../driver.ts';"],
  ['store/open.ts', "import './sqlite/open.ts'; import 'node:path';"],
  ['client/a.ts', "import type { X } from '../core/b.ts'; import { type Y } from '../core/b.ts';"],
  ['index.ts', "export { openBeckon } from './runtime/open.ts';"],
  ['core/a.test.ts', "import { test } from 'vitest'; import '../runtime/b.ts'; import 'node:fs';"],
])('imports of %s that keep the table pass', (file, source) => {
  expect(findForbiddenImports({ [file]: source })).toEqual([]);
});

test.each([
  ['core/a.ts', 'export const at = Date.now();', 'Date.now'],
  ['core/a.ts', 'export const at = new Date();', 'new Date()'],
  ['core/a.ts', 'export const dice = Math.random();', 'Math.random'],
  ['core/a.ts', 'setTimeout(() => {}, 1);', 'setTimeout'],
  ['core/a.ts', 'globalThis.setInterval(() => {}, 1);', 'setInterval'],
  ['runtime/a.ts', "console.log('x');", 'console.log'],
  ['server/a.ts', "process.on('SIGINT', stop);", 'process.on'],
  ['store/a.ts', 'process.exit(1);', 'process.exit'],
])('%s with `%s` is reported', (file, source, use) => {
  expect(findForbiddenUses({ [file]: source })).toEqual([expect.stringContaining(`${file}:1: ${use} `)]);
});

test('a date of a given instant, a comment, and a command line that exits all pass', () => {
  const files = {
    'core/a.ts': '// Date.now() is not for us.\nexport const at = new Date(instant);',
    'cli/a.ts': "console.log('bye'); process.exit(0);",
    'runtime/a.ts': 'setTimeout(() => {}, 1); options.console();',
    'core/a.test.ts': 'console.log(Date.now());',
  };
  expect(findForbiddenUses(files)).toEqual([]);
});

test('a circle of imports is reported with its way round', () => {
  const circle = { 'core/a.ts': "import './b.ts';", 'core/b.ts': "import './c.ts';", 'core/c.ts': "import './a.ts';" };
  expect(findCycles(circle)).toEqual(['core/a.ts -> core/b.ts -> core/c.ts -> core/a.ts']);
});

function findForbiddenImports(files: Sources): string[] {
  return Object.entries(files).flatMap(([file, source]) =>
    findImports(file, source).flatMap((found) => {
      const complaint = isTest(file) ? judgeTestImport(file, found) : judgeImport(file, found);
      return complaint ? [`${file}:${found.line}: ${complaint} (imports ${found.module ?? 'an expression'})`] : [];
    }),
  );
}

function judgeImport(file: string, { module }: Import): string | null {
  const room = roomOf(file);
  const rule = RULES[room];
  if (!rule) return `${room} has no rule: add it to the table`;
  const name = room === '' ? 'an entry file' : room;
  if (module === null) return `${name} may not import what is computed at run time`;
  if (!module.startsWith('.')) {
    const owner = ONLY_IN[module];
    if (owner && owner !== room && rule !== ANYTHING) return `only ${owner} may import ${module}`;
    return matches(rule.modules, module)
      ? null
      : `${name} may not import ${module}; its modules: ${list(rule.modules)}`;
  }
  const target = resolve(file, module);
  if (target.startsWith('..')) return 'the package may not import files outside of src';
  if (isTest(target)) return 'only tests may import tests';
  if (topOf(roomOf(target)) === 'testing' && topOf(room) !== 'testing') return 'only tests may import testing';
  const other = roomOf(target);
  if (topOf(other) === topOf(room) && isSameFamily(room, other)) return null;
  if (matches(rule.rooms, other) || rule.rooms.includes(topOf(other))) return null;
  return `${name} may not import ${other === '' ? 'the entry files' : other}; its rooms: ${list(rule.rooms)}`;
}

function judgeTestImport(file: string, { module }: Import): string | null {
  if (module === null) return null;
  if (module.startsWith('.')) {
    const target = resolve(file, module);
    const isOutside = target.startsWith('..') && !target.startsWith('../../../tests/harness/');
    return isOutside ? 'the package may not import files outside of src' : null;
  }
  const allowed = [
    'node:*',
    'vitest',
    'fast-check',
    'fast-string-width',
    'http_ece',
    'jose',
    'lowlight',
    'oxc-parser',
    'pg',
    'zod',
    'zod/mini',
    'uuid',
    'ajv',
    'ajv/*',
    'ajv-formats',
    're2js',
    'fastify',
    'pino',
    '@fastify/websocket',
    'ws',
    'ai',
    'ai/test',
    '@langchain/langgraph',
    '@openai/agents',
    '@seriousme/openapi-schema-validator',
    '@modelcontextprotocol/*',
    'standardwebhooks',
    'undici',
  ];
  return matches(allowed, module) ? null : `a test may not import ${module}; its modules: ${list(allowed)}`;
}

/** The files that a file brings along when it runs, itself included. */
function findReached(files: Sources, entry: string, reached: Set<string> = new Set()): Set<string> {
  if (reached.has(entry)) return reached;
  reached.add(entry);
  for (const { module, isType } of findImports(entry, files[entry] ?? '')) {
    if (module?.startsWith('.') && !isType) findReached(files, resolve(entry, module), reached);
  }
  return reached;
}

function findForbiddenUses(files: Sources): string[] {
  return Object.entries(files).flatMap(([file, source]) => {
    const room = roomOf(file);
    if (isTest(file) || room === 'cli') return [];
    const forbidden = PURE_ROOMS.includes(room) ? [...IMPURE, ...FOR_CLI] : FOR_CLI;
    return findUses(file, source)
      .filter(({ use }) => forbidden.some((name) => use === name || use.startsWith(`${name}.`)))
      .map(({ use, line }) => `${file}:${line}: ${use} is not for ${room === '' ? 'an entry file' : room}`);
  });
}

function toRoomImport(file: string, module: string): string {
  return module.startsWith('.') ? `${roomOf(file)} -> ${roomOf(resolve(file, module))}` : '';
}

/** The longest folder that has a rule; a folder without one stands for itself, so that it is noticed. */
function roomOf(file: string): string {
  const folders = file.split('/').slice(0, -1);
  for (let length = folders.length; length > 0; length -= 1) {
    const room = folders.slice(0, length).join('/');
    if (RULES[room]) return room;
  }
  return folders.slice(0, 1).join('/');
}

function topOf(room: string): string {
  return room.split('/')[0] ?? '';
}

/** Files of one room, and of a room inside it (`store` and `store/sqlite`), belong together. */
function isSameFamily(one: string, other: string): boolean {
  return one === other || other.startsWith(`${one}/`) || (one.startsWith(`${other}/`) && RULES[other] !== undefined);
}

function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file) || file.startsWith('testing/harness/');
}

function matches(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern));
}

function list(names: readonly string[]): string {
  return names.length > 0 ? names.join(', ') : 'none';
}
