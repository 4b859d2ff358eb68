import { expect, test } from 'vitest';
import type { Interaction } from '../protocol/interaction.ts';
import type { JsonObject } from '../protocol/json.ts';
import { toOneTapText } from './one-tap.ts';

const context = { project: 'webshop', folder: '/home/ada/webshop', root: '/home/ada/webshop' };

function approval(tool: string, input: JsonObject): Interaction {
  return {
    id: 'int_1',
    chatId: 'default',
    kind: 'approval',
    request: { tool, input },
    context,
    status: 'pending',
    awaitingFeedback: false,
    createdAt: '2026-11-17T10:00:00.000Z',
  };
}

test.each<[string, Interaction, string]>([
  ['a command, whatever its agent says of it', approval('Bash', { command: 'npm test', description: 'x' }), 'npm test'],
  ['a command with a harmless field', approval('Bash', { command: 'git status', timeout: 1000 }), 'git status'],
  [
    'an address',
    approval('WebFetch', { url: 'https://docs.example.com/a', prompt: 'p' }),
    'Fetch https://docs.example.com/a',
  ],
  ['a file that is read', approval('Read', { file_path: '/home/ada/webshop/a.ts' }), 'Read /home/ada/webshop/a.ts'],
  ['a tool without input', approval('list_issues', {}), 'list_issues'],
  [
    'a call of a server with all its input',
    approval('mcp__github__get_issue', { number: 7 }),
    'mcp__github__get_issue {"number":7}',
  ],
])('a button may decide %s', (_, interaction, text) => {
  expect(toOneTapText(interaction)).toBe(text);
});

test.each<[string, Interaction]>([
  ['what is dangerous', approval('Bash', { command: 'git push --force origin main' })],
  ['what is notable', approval('Bash', { command: 'npm publish --dry-run; sudo ls' })],
  ['a command that would be cut', approval('Bash', { command: `npm test -- ${'a'.repeat(200)}` })],
  ['several lines, which would read as one command', approval('Bash', { command: 'npm test\nnpm run lint' })],
  ['spaces that would be joined', approval('Bash', { command: 'echo "a  b"' })],
  ['hidden characters', approval('Bash', { command: 'npm test\u202e' })],
  ['a change of a file', approval('Edit', { file_path: '/home/ada/webshop/a.ts', old_string: 'a', new_string: 'b' })],
  ['a patch', approval('apply_patch', { patch: '*** Begin Patch\n*** End Patch' })],
  ['input that would be cut', approval('mcp__github__create_issue', { body: 'a'.repeat(200) })],
  ['an empty command', approval('Bash', { command: ' ' })],
])('a button never decides %s', (_, interaction) => {
  expect(toOneTapText(interaction)).toBeNull();
});

test('a command in another folder is shown with it', () => {
  const input = { command: 'npm test', workdir: '/home/ada/webshop/api' };
  expect(toOneTapText(approval('shell', input))).toBe('shell {"command":"npm test","workdir":"/home/ada/webshop/api"}');
});

test('a field that nobody knows is shown', () => {
  expect(toOneTapText(approval('Bash', { command: 'ls', shell: 'fish' }))).toBe('Bash {"command":"ls","shell":"fish"}');
});

test('only approvals have two answers', () => {
  const question = { ...approval('Bash', {}), kind: 'question', request: { question: 'Which?', options: [] } };
  expect(toOneTapText(question as Interaction)).toBeNull();
});
