import { expect, test } from 'vitest';
import type { Interaction } from '../protocol/interaction.ts';
import type { JsonObject } from '../protocol/json.ts';
import { toAlikeKey } from './alike-key.ts';

function approve(tool: string, input: JsonObject): Interaction {
  return { kind: 'approval', request: { tool, input } } as unknown as Interaction;
}

const bash = (command: string): Interaction => approve('Bash', { command });
const edit = (path: string): Interaction => approve('Edit', { file_path: path, old_string: 'a', new_string: 'b' });

test.each([
  ['the same command with other words', bash('npm test -- --run api'), bash('npm  test -- --run web')],
  ['one word and a path', bash('ls'), bash('ls ./src')],
  ['the same options in another order', bash('rm -r -f a'), bash('rm -f -r b')],
  ['a path instead of a second word', bash('cat ./a.ts'), bash('cat ./b.ts')],
  ['files of one type in one folder', edit('/w/src/a.ts'), edit('/w/src/b.ts')],
  ['files without a folder', edit('a.ts'), edit('b.ts')],
  [
    'notebooks',
    approve('NotebookEdit', { notebook_path: 'a.ipynb' }),
    approve('NotebookEdit', { notebook_path: 'b.ipynb' }),
  ],
  [
    'pages of one host',
    approve('WebFetch', { url: 'https://a.example/x' }),
    approve('WebFetch', { url: 'HTTPS://A.example?y' }),
  ],
  [
    'the same MCP tool',
    approve('mcp__github__create_issue', { title: 'a' }),
    approve('mcp__github__create_issue', { body: 2 }),
  ],
])('%s is alike', (_, one, other) => {
  expect(toAlikeKey(one)).not.toBeNull();
  expect(toAlikeKey(one)).toBe(toAlikeKey(other));
});

test.each([
  ['another command', bash('npm test'), bash('npm publish')],
  ['an option more', bash('git push'), bash('git push --force')],
  ['another value of an option', bash('deploy --to=test'), bash('deploy --to=production')],
  ['a second command', bash('npm test'), bash('npm test && rm -rf /')],
  ['a second command on another line', bash('npm test'), bash('npm test\nrm -rf /')],
  ['other second commands', bash('npm test; ls'), bash('npm test; rm x')],
  ['a variable in front', bash('npm test'), bash('PATH=/tmp npm test')],
  ['a substitution', bash('echo a'), bash('echo $(rm x)')],
  ['another tool', approve('Write', { file_path: 'a.ts' }), edit('a.ts')],
  ['another folder', edit('/w/src/a.ts'), edit('/w/a.ts')],
  ['another type of file', edit('a.ts'), edit('a.json')],
  ['hidden files, whose name is no type', edit('.env'), edit('.npmrc')],
  [
    'another host',
    approve('WebFetch', { url: 'https://a.example' }),
    approve('WebFetch', { url: 'https://b.example' }),
  ],
  [
    'a host behind a name',
    approve('WebFetch', { url: 'https://a.example' }),
    approve('WebFetch', { url: 'https://a.example@b.example' }),
  ],
  ['a command that is no text', approve('Bash', { command: 'ls' }), approve('Bash', { command: ['ls'] })],
])('%s is not alike', (_, one, other) => {
  expect(toAlikeKey(one)).not.toBe(toAlikeKey(other));
});

test('only approvals are alike', () => {
  expect(toAlikeKey({ kind: 'question', request: { question: 'Go on?' } } as unknown as Interaction)).toBeNull();
});
