import { createLowlight } from 'lowlight';
import { expect, test } from 'vitest';
import { type CodeNode, cutTree } from './cut-tree.ts';
import { findLanguage } from './find-language.ts';
import { loadGrammar } from './languages.ts';

test('a tree is cut at line ends, and the inner look wins', () => {
  const tree: CodeNode[] = [
    { type: 'text', value: 'a ' },
    {
      type: 'element',
      properties: { className: ['hljs-string'] },
      children: [
        { type: 'text', value: '`x\n' },
        { type: 'element', properties: { className: ['hljs-number'] }, children: [{ type: 'text', value: '1' }] },
        { type: 'element', properties: { className: ['hljs-subst'] }, children: [{ type: 'text', value: '`' }] },
      ],
    },
    { type: 'text', value: '\n' },
  ];
  expect(cutTree(tree)).toEqual([
    [
      [2, null],
      [2, 'string'],
    ],
    [
      [1, 'number'],
      [1, 'string'],
    ],
    [],
  ]);
});

test.each([
  ['/app/src/cart.ts', 'typescript'],
  ['Dockerfile', 'dockerfile'],
  ['deploy.SH', 'bash'],
  ['.env', 'bash'],
  ['a.constructor', null],
  ['notes.txt', null],
])('%s is written in %s', (path, language) => {
  expect(findLanguage(path)).toBe(language);
});

test.each(['typescript', 'bash', 'python', 'json', 'yaml', 'markdown'])(
  'the tokens of each line of %s are as long as the line',
  async (language) => {
    const grammar = await loadGrammar(language);
    expect(grammar).not.toBeNull();
    const low = createLowlight(grammar === null ? {} : { [language]: grammar });
    const text = 'const a = `x\n  ${1} y`; // "é\n\n# title\n- b: "c"\nfor i in $(ls); do echo "$i"; done\n';
    const lines = cutTree(low.highlight(language, text).children as CodeNode[]);
    expect(lines.map((line) => line.reduce((sum, [length]) => sum + length, 0))).toEqual(
      text.split('\n').map((line) => line.length),
    );
  },
);

test('a language that is not known has no grammar', async () => {
  expect(await loadGrammar('toString')).toBeNull();
});
