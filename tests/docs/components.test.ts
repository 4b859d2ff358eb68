import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { checkTree } from '../../packages/beckon/src/components/check-tree.ts';
import { SAMPLES } from '../react/samples.ts';

const page = await readFile(new URL('../../docs/components.md', import.meta.url), 'utf8');

test('every JSON in the page about components is in order', () => {
  const trees = [...page.matchAll(/```json\n(.*?)\n```/gs)].map(([, json = '']) => JSON.parse(json) as unknown);
  expect(trees.length).toBeGreaterThan(Object.keys(SAMPLES).length);
  for (const tree of trees) expect(checkTree(tree).problems).toEqual([]);
});

test.each(Object.entries(SAMPLES))('below the picture of %s is the JSON that it is drawn from', (name, sample) => {
  const json = new RegExp(`images/components/${name}\\.png\\)\n\n\`\`\`json\n(.*?)\n\`\`\``, 's').exec(page)?.[1];
  expect(JSON.parse(json ?? 'null')).toEqual(sample);
});
