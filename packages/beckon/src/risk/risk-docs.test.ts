import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { JsonObject } from '../protocol/json.ts';
import { CORPUS } from '../testing/harness/risk-corpus/corpus.ts';
import { isPublic, toRequest } from '../testing/harness/risk-corpus/sample.ts';
import { assessRisk } from './assess-risk.ts';
import { CODES } from './codes.ts';

const page = readFileSync(new URL('../../../../docs/risk.md', import.meta.url), 'utf8');
const rows = [...page.matchAll(/^\| `([\w-]+)` \| (\w+) \| (.+?) \| `(.+)` \|$/gm)].map(([, code = '', ...cells]) => ({
  code,
  level: cells[0],
  sentence: cells[1],
  example: (cells[2] ?? '').replaceAll('\\|', '|'),
}));

test('docs/risk.md lists every finding as it is', () => {
  const listed = Object.fromEntries(rows.map(({ code, level, sentence }) => [code, { level, sentence }]));
  expect(listed).toEqual(CODES);
  expect(rows).toHaveLength(Object.keys(CODES).length);
});

test.each(rows)('the example of $code in docs/risk.md has that finding', ({ code, example }) => {
  const [, tool = 'Bash', json] = /^([\w-]+) (\{.*\})$/s.exec(example) ?? [];
  const input = json === undefined ? { command: example } : (JSON.parse(json) as JsonObject);
  const files =
    code === 'leads-elsewhere' ? [{ path: 'src/linked.ts', target: '/home/ada/shop/src/real.ts' }] : undefined;
  const { findings } = assessRisk(toRequest({ tool, input, files }));
  expect(findings.map((finding) => finding.code)).toContain(code);
});

test('docs/risk.md says how large the corpus is, and how much of it is public', () => {
  const { routine, notable, dangerous } = CORPUS;
  const all = Object.values(CORPUS).flat();
  const text = page.replaceAll(/\s+/g, ' ');
  expect(text).toContain(`has ${all.length} calls`);
  expect(text).toContain(`${routine.length} plain, ${notable.length} notable, ${dangerous.length} dangerous`);
  expect(text).toContain(`${all.filter(isPublic).length} calls come from public material`);
});
