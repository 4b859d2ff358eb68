import { describe, expect, test } from 'vitest';
import type { InteractionOf } from '../protocol/interaction.ts';
import type { JsonObject } from '../protocol/json.ts';
import type { Rule } from '../protocol/rule.ts';
import { createApproval, createEdit, createRule, ROOT } from '../testing/harness/rules.ts';
import { compileRules } from './rule-book.ts';

// Attempts to get past rules about files.

const AT = '2026-01-02T00:00:00.000Z';
/** Not `null` because it is dangerous: no rule may allow it in the first place. */
const decide = (rules: readonly Rule[], interaction: InteractionOf<'approval'>): string | null => {
  const { effect, why } = compileRules(rules).decide(interaction, AT);
  return why ?? effect;
};

describe('files', () => {
  const rules = [
    createRule({ tool: 'Edit', match: { path: 'src/**' } }),
    createRule({ id: 'rul_2', tool: 'Edit', match: { path: '/srv/www/*.html' } }),
    createRule({ id: 'rul_3', tool: 'Read', match: { path: 'docs/**' } }),
  ];

  test.for<[path: string, why: string]>([
    ['src', 'the folder itself'],
    ['SRC/a.ts', 'case matters'],
    ['Src/a.ts', 'case matters'],
    ['srс/a.ts', 'a Cyrillic letter'],
    ['src-evil/a.ts', 'a folder that begins alike'],
    ['src.ts', 'a file that begins alike'],
    ['a/src/b.ts', 'a folder of that name elsewhere'],
    ['src/../package.json', 'it leads out of the folder'],
    ['src/../../evil/src/a.ts', 'it leads out of the project'],
    ['src/a/../../.env', 'it leads out of the folder'],
    ['src/./../.env', 'it leads out of the folder'],
    ['src//../.env', 'it leads out of the folder'],
    ['./../webshop-evil/src/a.ts', 'another project'],
    ['/src/a.ts', 'from the root'],
    ['/etc/src/a.ts', 'from the root'],
    ['/home/ada/webshop/srcs/a.ts', 'a folder that begins alike'],
    ['/home/ada/webshop/../webshop-evil/src/a.ts', 'another project'],
    ['/home/eve/webshop/src/a.ts', 'another project'],
    ['~/webshop/src/a.ts', 'nobody knows whose home'],
    ['~ada/webshop/src/a.ts', 'nobody knows whose home'],
    ['$HOME/src/a.ts', 'a name with a dollar'],
    ['src\\a.ts', 'a name with a backslash'],
    ['src\\..\\..\\evil', 'a name with backslashes'],
    ['C:\\src\\a.ts', 'another system'],
    ['\\\\server\\src\\a.ts', 'another machine'],
    ['file:///home/ada/webshop/src/a.ts', 'an address'],
    ['src/a.ts\0.png', 'a character that ends a text for some'],
    ['', 'no path'],
    ['.', 'the project itself'],
    ['..', 'above the project'],
    ['/', 'the root'],
    ['src/.git/hooks/pre-commit', 'git runs it'],
    ['src/.GIT/hooks/pre-commit', 'git runs it, where case does not matter'],
    ['src/.env', 'secrets'],
    ['src/.env.production', 'secrets'],
    ['src/.claude/settings.json', 'it says what an agent may do'],
    ['src/node_modules/x/index.js', 'code of others'],
    ['src/.vscode/tasks.json', 'an editor runs it'],
    ['/srv/www/a/b.html', 'a star is one name'],
    ['/srv/www/a.htm', 'another ending'],
    ['/srv/www/../a.html', 'it leads out of the folder'],
    ['/srv/www/.html/../../x.html', 'it leads out of the folder'],
  ])('a person is asked about an edit of %j: %s', ([path]) => {
    expect(decide(rules, createEdit(path))).toBeNull();
  });

  test.for<[path: string, target: string, why: string]>([
    ['src/a.ts', '/etc/passwd', 'a link out of the project'],
    ['src/a.ts', `${ROOT}/package.json`, 'a link out of the folder'],
    ['src/a.ts', `${ROOT}/src/.git/config`, 'a link to a file of git'],
    ['src/a.ts', 'src/b.ts/../../x', 'a target that leads out'],
    ['src/a.ts', '~/x', 'a target that nobody knows'],
    ['src/link/a.ts', '/srv/www/a.html', 'a target that another rule allows'],
    ['package.json', `${ROOT}/src/a.ts`, 'a path outside with a target inside'],
  ])('a person is asked about %s, which leads to %s: %s', ([path, target]) => {
    expect(decide(rules, createEdit(path, { target }))).toBeNull();
  });

  test.for<[input: JsonObject, why: string]>([
    [{ file_path: ['src/a.ts'] }, 'a list'],
    [{ file_path: { path: 'src/a.ts' } }, 'an object'],
    [{ file_path: 'src/a.ts', path: '/etc/passwd' }, 'a second path'],
    [{ file_path: 'src/a.ts', notebook_path: 'x.ipynb' }, 'a second path'],
    [{ file_path: 'src/a.ts', destination: '/etc/passwd' }, 'a field that nobody knows'],
    [{ file_path: 'src/a.ts', mode: '0777' }, 'a field that nobody knows'],
    [
      { file_path: 'src/a.ts', edits: [{ old_string: 'a', new_string: 'b', file_path: '/etc/passwd' }] },
      'an edit of another file',
    ],
    [{ file_path: 'src/a.ts', edits: { file_path: '/etc/passwd' } }, 'edits that are no list'],
    [{ file_path: 'src/a.ts', edits: ['x'] }, 'edits that are texts'],
    [{ file_path: 'src/a.ts', content: { path: '/etc/passwd' } }, 'a content that is no text'],
    [{ file_path: 'src/a.ts', patch: '*** Begin Patch\n*** Delete File: x\n*** End Patch' }, 'a patch beside it'],
    [{ FILE_PATH: 'src/a.ts' }, 'a field that nobody knows'],
    [{}, 'no path'],
    [JSON.parse('{"file_path":"src/a.ts","__proto__":{"x":1}}') as JsonObject, 'a field that is none'],
    [{ file_path: 'src/a.ts', constructor: 'x' }, 'a field that is none'],
  ])('a person is asked about an edit with %j: %s', ([input]) => {
    const { context = {} } = createEdit('src/a.ts');
    const files = ['src/a.ts', 'x.ipynb', 'x'].map((path) => ({ path: `${ROOT}/${path}`, isSeen: true as const }));
    expect(decide(rules, createApproval('Edit', input, { context: { ...context, files } }))).toBeNull();
  });

  const patch = (...lines: string[]): string => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');
  const update = ['*** Update File: src/a.ts', '@@', '-a', '+b'];
  test.for<[input: JsonObject, why: string]>([
    [{ patch: patch(...update, '*** Delete File: package.json') }, 'a second file'],
    [{ patch: patch(...update, '*** Add File: .git/hooks/pre-commit', '+x') }, 'a second file'],
    [
      { patch: patch('*** Update File: src/a.ts', '*** Move to: package.json', '@@', '-a', '+b') },
      'it moves the file out',
    ],
    [{ patch: patch(...update, ' *** Delete File: src/b.ts') }, 'a head that some would read'],
    [{ patch: patch(...update, '\t*** Delete File: src/b.ts') }, 'a head that some would read'],
    [{ patch: patch(...update, '*** Rename File: src/b.ts') }, 'a head that nobody knows'],
    [{ patch: patch(...update, '*** Update File: src/a.ts\r') }, 'a carriage return'],
    [{ patch: `rm x\n${patch(...update)}` }, 'a text before it'],
    [{ patch: `${patch(...update)}\n${patch('*** Delete File: src/b.ts')}` }, 'a second patch behind it'],
    [
      { patch: '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-a\n+b' },
      'a diff, which every program reads in its own way',
    ],
    [{ patch: 'diff --git a/src/a.ts b/src/a.ts\nrename to x' }, 'a diff, which every program reads in its own way'],
    [{ patch: patch(...update), diff: patch('*** Delete File: src/b.ts') }, 'a second patch'],
    [{ command: ['apply_patch', patch(...update), patch('*** Delete File: src/b.ts')] }, 'a second patch'],
    [{ command: ['sh', patch(...update)] }, 'another program'],
    [{ command: [patch(...update)] }, 'no program'],
    [{ patch: patch(...update), file_path: 'src/a.ts' }, 'a path beside it'],
    [{ patch: '*** Begin Patch' }, 'no patch'],
    [{ patch: patch('*** Update File: ../evil/src/a.ts') }, 'another project'],
  ])('a person is asked about the patch %j: %s', ([input]) => {
    const files = ['src/a.ts', 'src/b.ts', 'package.json', 'x'].map((path) => ({
      path: `${ROOT}/${path}`,
      isSeen: true as const,
    }));
    const context = { folder: ROOT, root: ROOT, files };
    expect(decide(rules, createApproval('apply_patch', input, { context }))).toBeNull();
    expect(decide(rules, createApproval('apply_patch', { patch: patch(...update) }, { context }))).toBe('allow');
  });

  test.for<[context: InteractionOf<'approval'>['context'], why: string]>([
    [undefined, 'nobody knows the folder'],
    [{}, 'nobody knows the folder'],
    [{ root: ROOT, folder: ROOT }, 'nobody looked at the file'],
    [{ root: ROOT, folder: ROOT, files: [] }, 'nobody looked at the file'],
    [{ root: ROOT, folder: ROOT, files: [{ path: `${ROOT}/src/a.ts` }] }, 'somebody could not read the file'],
    [
      { root: ROOT, folder: ROOT, files: [{ path: `${ROOT}/src/b.ts`, isSeen: true }] },
      'somebody looked at another file',
    ],
    [
      { root: ROOT, folder: ROOT, files: [{ path: `${ROOT}/src/a.ts`, isSeen: true }, { path: `${ROOT}/src/a.ts` }] },
      'one of two could not be read',
    ],
    [{ root: 'webshop', folder: 'webshop', files: [{ path: 'src/a.ts', isSeen: true }] }, 'a folder that is relative'],
    [
      { root: ROOT, folder: `${ROOT}/packages/x`, files: [{ path: `${ROOT}/src/a.ts`, isSeen: true }] },
      'the path is relative to another folder',
    ],
    [
      { root: ROOT, folder: '/tmp', files: [{ path: '/tmp/src/a.ts', isSeen: true }] },
      'the agent works outside of the project',
    ],
  ])('a person is asked about an edit with the context %j: %s', ([context]) => {
    const { context: _, ...asked } = createEdit('src/a.ts');
    expect(decide(rules, context === undefined ? asked : { ...asked, context })).toBeNull();
  });

  test.for([
    'edi',
    'EDIT',
    'Edit ',
    'Еdit',
    'Edit\u200b',
    'MultiEdits',
    'mcp__fs__Edit',
    'Delete',
    'Read',
    'Bash',
    '__proto__',
    'constructor',
    'toString',
    '',
  ])('a person is asked about the tool %j, which is not Edit', (tool) => {
    expect(decide(rules, createEdit('src/a.ts', { tool }))).toBeNull();
  });

  test('on Windows, names that mean another file', () => {
    const root = 'C:\\work\\shop';
    const asked = (path: string): InteractionOf<'approval'> =>
      createApproval('Edit', { file_path: path }, { context: { root, folder: root, files: [{ path, isSeen: true }] } });
    for (const path of [
      'src\\..\\x',
      'C:\\work\\shop\\src\\..\\..\\x',
      'src\\a.ts:evil',
      'src\\a.ts.',
      'src\\a.ts ',
      'src\\. \\x',
      'D:\\work\\shop\\src\\a.ts',
      '\\\\shop\\src\\a.ts',
    ]) {
      expect([path, decide(rules, asked(path))]).toEqual([path, null]);
    }
    expect(decide(rules, asked('C:\\work\\shop\\src\\a.ts'))).toBe('allow');
    expect(decide(rules, asked('src\\a.ts'))).toBe('allow');
  });
});
