import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { JsonObject } from '../protocol/json.ts';
import { toRequest } from '../testing/harness/risk-corpus/sample.ts';
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
