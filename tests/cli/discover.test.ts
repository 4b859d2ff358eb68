import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Catalogue, checkTree, readCatalogue } from '../../packages/beckon/src/components/index.ts';
import { CliBench } from '../harness/cli.ts';

let bench: CliBench;

beforeEach(async () => {
  bench = await CliBench.open();
});
afterEach(() => bench.close());

const GAUGE = `import React from 'react';

export function Gauge({ value }: { value: number }) {
  return <div className="gauge">{value}</div>;
}

export const metadata: Metadata = {
  type: 'gauge', // the name
  description: 'A value on a scale, ' + "from nothing to \\u0061ll.",
  /* its props */
  schema: {
    type: 'object',
    properties: { value: { type: 'number' }, 'unit': { type: \`string\` }, limit: { type: 'number', minimum: -1.5e3, } },
    required: ['value'],
  },
  category: 'custom',
} as const satisfies Metadata;
`;

async function write(path: string, text: string): Promise<void> {
  const file = join(bench.folder, 'app', path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

function discover(...args: string[]) {
  return bench.run(['discover', ...args], { cwd: join(bench.folder, 'app') });
}

test('finds own components and writes them to ai.json, from where they can be used', async () => {
  await write('src/gauge.tsx', GAUGE);
  await write('src/other.ts', 'export const nothing = 1;');
  await write('node_modules/x/index.js', GAUGE);
  const { code, stdout, stderr } = await discover('src');
  expect(code).toBe(0);
  expect(stdout).toMatch(/gauge +gauge\.tsx +A value on a scale/);
  expect(stderr).toContain('Wrote 1 component from 2 files to');
  const catalogue = JSON.parse(await readFile(join(bench.folder, 'app', 'ai.json'), 'utf8')) as Catalogue;
  expect(catalogue).toEqual({
    components: {
      gauge: {
        description: 'A value on a scale, from nothing to all.',
        schema: {
          type: 'object',
          properties: {
            value: { type: 'number' },
            unit: { type: 'string' },
            limit: { type: 'number', minimum: -1500 },
          },
          required: ['value'],
        },
        file: 'gauge.tsx',
      },
    },
  });
  expect(checkTree([{ type: 'gauge', value: 1 }], readCatalogue(catalogue)).problems).toEqual([]);
});

test('says what is wrong with one that does not fit, and writes the others', async () => {
  await write('a.tsx', GAUGE);
  await write('b.tsx', GAUGE);
  await write('c.tsx', "export const metadata = { type: 'card', description: '', schema: { type: 'array' } };");
  await write('d.tsx', "\nexport const metadata = { type: name, description: 'x' };");
  await write('e.tsx', 'export const metadata = { type: `a${b}` };');
  const { code, stdout } = await discover('.', '--json', '--out', 'own.json');
  expect(code).toBe(1);
  const { ok, components, misfits, file } = JSON.parse(stdout);
  expect({ ok, names: Object.keys(components) }).toEqual({ ok: false, names: ['gauge'] });
  expect(misfits).toEqual([
    { file: 'b.tsx', line: 7, problem: '"gauge" is already defined in a.tsx' },
    { file: 'c.tsx', line: 1, problem: expect.stringContaining('"card" is a built-in component') },
    { file: 'c.tsx', line: 1, problem: expect.stringContaining('"description" must tell') },
    { file: 'c.tsx', line: 1, problem: expect.stringContaining('"schema.type" is "object"') },
    { file: 'd.tsx', line: 2, problem: expect.stringContaining('expected a literal value, got "name') },
    { file: 'e.tsx', line: 1, problem: expect.stringContaining('expected a literal string') },
  ]);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ components });
});

test('a folder without components, and one that is not there', async () => {
  await write('a.ts', '');
  const empty = await discover();
  expect(empty.code).toBe(0);
  expect(empty.stderr).toContain('No file exports "metadata"');
  const missing = await discover('nowhere');
  expect(missing.code).toBe(2);
  expect(missing.stderr).toContain('Folder not found');
});

test('a folder without components leaves a catalogue that has some', async () => {
  await write('src/gauge.tsx', GAUGE);
  await write('empty/other.ts', 'export const nothing = 1;');
  await discover('src');
  const file = join(bench.folder, 'app', 'ai.json');
  const before = await readFile(file, 'utf8');
  const refused = await discover('empty');
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('was not changed') });
  const { error } = JSON.parse((await discover('empty', '--json')).stdout);
  expect(error).toMatchObject({ code: 'invalid_input' });
  expect(await readFile(file, 'utf8')).toBe(before);
});
