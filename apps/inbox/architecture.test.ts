import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import {
  findCircles,
  findCycles,
  findImports,
  readSources,
  resolve,
  type Sources,
} from '../../tests/harness/imports.ts';

/** Which folder may import which; '' are the files beside the folders. README.md shows the same table. */
const RULES: Readonly<Record<string, readonly string[]>> = {
  state: [],
  sw: ['interactions'],
  live: ['state'],
  ui: [],
  interactions: ['state'],
  context: ['interactions', 'live'],
  rules: ['interactions', 'live', 'state', 'ui'],
  cards: ['context', 'rules', 'ui'],
  destinations: ['interactions', 'live', 'ui'],
  notify: ['interactions', 'live', 'state', 'ui'],
  'views/devices': ['interactions', 'live', 'state', 'ui'],
  'views/log': ['interactions', 'live', 'ui'],
  'views/login': ['live', 'state', 'ui'],
  'views/machines': ['interactions', 'live', 'state', 'ui'],
  'views/prove': ['live', 'ui'],
  'views/statistics': ['interactions', 'live', 'ui'],
  'views/interaction': ['cards', 'context', 'interactions', 'live', 'rules', 'ui', 'views/log'],
  'views/history': ['interactions', 'live', 'state', 'ui', 'views/interaction'],
  'views/pending': ['interactions', 'live', 'ui', 'views/interaction'],
  'views/rules': ['interactions', 'live', 'rules', 'ui'],
  'views/session': ['interactions', 'live', 'ui', 'views/log'],
  'views/settings': ['destinations', 'live', 'notify', 'ui', 'views/devices', 'views/machines'],
  'views/shell': [
    'live',
    'notify',
    'ui',
    'views/devices',
    'views/history',
    'views/interaction',
    'views/login',
    'views/machines',
    'views/pending',
    'views/prove',
    'views/rules',
    'views/session',
    'views/settings',
    'views/statistics',
  ],
  '': ['live', 'notify', 'state', 'ui', 'views/shell'],
};

const sources = readSources(fileURLToPath(new URL('src', import.meta.url)));

test('every import follows the table of folders', () => {
  expect(Object.keys(sources).length).toBeGreaterThan(100);
  expect(findForbiddenImports(sources)).toEqual([]);
});

test('neither folders nor files import each other in a circle', () => {
  expect(findCircles(Object.keys(RULES), (folder) => RULES[folder] ?? [])).toEqual([]);
  expect(findCycles(sources)).toEqual([]);
});

test('every rule of the table is used', () => {
  const used = new Set(findFolderImports(sources).map(({ from, to }) => `${from} -> ${to}`));
  const rules = Object.entries(RULES).flatMap(([from, allowed]) => allowed.map((to) => `${from} -> ${to}`));
  expect(rules.filter((rule) => !used.has(rule))).toEqual([]);
});

test('README.md shows the same table', () => {
  const readme = readFileSync(fileURLToPath(new URL('README.md', import.meta.url)), 'utf8');
  const rows = [...readme.matchAll(/^\| `src\/?([\w/-]*)` \| ([^|]*) \|/gm)].map(([, folder, allowed]) => [
    folder,
    [...(allowed ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  ]);
  expect(Object.fromEntries(rows)).toEqual(RULES);
});

test.each([
  ['an import against the table', 'live/a.ts', "import { x } from '../ui/b.ts';", 'live may not import ui'],
  ['an import of a type', 'state/a.ts', "import type { X } from '../live/b.ts';", 'state may not import live'],
  ['a lazy import', 'ui/a.tsx', "const x = () => import('../live/b.ts');", 'ui may not import live'],
  ['a re-export', 'state/a.ts', "export { x } from '../live/b.ts';", 'state may not import live'],
  ['a folder above', 'views/rules/a.ts', "import '../../app.tsx';", 'views/rules may not import src'],
  ['a folder beside', 'views/rules/a.ts', "import '../log/b.ts';", 'views/rules may not import views/log'],
  ['the files beside the folders', 'ui/a.ts', "import '../app.tsx';", 'ui may not import src'],
  ['a way out of the page', 'ui/a.ts', "import '../../../../packages/b.ts';", 'the page may not import ../'],
  ['a part of the daemon', 'live/a.ts', "import { x } from 'beckon';", 'the page may not import beckon'],
  ['a folder without a rule', 'helpers/a.ts', "import '../ui/b.ts';", 'helpers has no rule'],
])('%s is reported', (_, file, source, complaint) => {
  expect(findForbiddenImports({ [file]: source })).toEqual([expect.stringContaining(complaint)]);
});

test('a circle of folders is reported', () => {
  const table: Record<string, string[]> = { ui: ['live'], live: ['state'], state: ['ui'] };
  expect(findCircles(Object.keys(table), (folder) => table[folder] ?? [])).toEqual(['ui -> live -> state -> ui']);
});

test('imports that follow the table pass', () => {
  const files = {
    'live/a.ts': "import { connectBeckon } from 'beckon/client'; import { Store } from '../state/store.ts';",
    'ui/a.tsx': "import { useState } from 'react'; import './b.tsx';",
    'ui/a.test.ts': "import { expect } from 'vitest'; import './a.tsx';",
  };
  expect(findForbiddenImports(files)).toEqual([]);
});

test('every answer of the page comes through the one place that asks the guard', () => {
  expect(findCallers('answers.sendMany(')).toEqual(['views/pending/bulk-dialog.tsx']);
  expect(findCallers('#beckon.answer(')).toEqual(['live/answers.ts']);
  expect(findCallers('#beckon.answerMany(')).toEqual(['live/answers.ts']);
  expect(findCallers('beckon.answer(')).toEqual([]);
  expect(findCallers('beckon.answerMany(')).toEqual([]);
  expect(findCallers('beckon.say(')).toEqual([]);
  // `useAnswering` and `useGroupAnswering` of `beckon/react` ask it, and nothing else gets hold of what they post.
  expect(findCallers('answers.post(')).toEqual(['views/interaction/use-page-answering.ts']);
  expect(findCallers('answers.postGroup(')).toEqual(['views/interaction/use-page-answering.ts']);
  expect(findCallers('sender.send(')).toEqual([]);
  expect(findCallers('groupSender.send(')).toEqual([]);
  expect(findCallers('consent.decide(').sort()).toEqual([
    'views/interaction/dismiss-dialog.tsx',
    'views/machines/machine-decision.tsx',
    'views/pending/bulk-dialog.tsx',
  ]);
  // The steps of what is dangerous are judged in `beckon/react`, for this page and for cards.
  expect(findCallers('consent.prepare(')).toEqual([]);
  expect(findCallers('consent.confirm(')).toEqual([]);
});

function findForbiddenImports(files: Sources): string[] {
  const modules = Object.entries(files).flatMap(([file, source]) =>
    findImports(file, source)
      .filter(({ module }) => module !== null && /^beckon(\/|$)/.test(module) && !MODULES.test(module))
      .map(({ module, line }) => `${file}:${line}: the page may not import ${module}`),
  );
  const folders = findFolderImports(files).flatMap(({ place, from, to }) => {
    const complaint = judge(from, to);
    return complaint === null ? [] : [`${place}: ${complaint}`];
  });
  return [...modules, ...folders];
}

/** What the page may use of the package: the daemon's client and protocol, its words, and what draws requests. */
const MODULES = /^beckon\/(client|presentation|protocol|rules|react|react\/parts|react\/style\.css)$/;

function judge(from: string, to: string): string | null {
  const allowed = RULES[from];
  if (allowed === undefined) return `${from} has no rule: add it to the table`;
  if (to.startsWith('..')) return `the page may not import ${to}`;
  return allowed.includes(to) ? null : `${from || 'src'} may not import ${to || 'src'}`;
}

/** The imports from one folder to another. */
function findFolderImports(files: Sources): { place: string; from: string; to: string }[] {
  return Object.entries(files).flatMap(([file, source]) =>
    findImports(file, source).flatMap(({ module, line }) => {
      if (module === null || !module.startsWith('.')) return [];
      const [from, to] = [toFolder(file), toFolder(resolve(file, module))];
      return from === to ? [] : [{ place: `${file}:${line}`, from, to }];
    }),
  );
}

function toFolder(path: string): string {
  return posix.dirname(path).replace(/^\.$/, '');
}

function findCallers(call: string): string[] {
  const isCalled = new RegExp(`(?<![#\\w])${call.replaceAll(/[.(]/g, '\\$&')}`);
  return Object.keys(sources).filter((file) => isCalled.test(sources[file] ?? ''));
}
