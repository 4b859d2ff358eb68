import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listClients } from '../../../scripts/toolchain/clients.mjs';
import { toTable } from '../../../scripts/toolchain/clients-table.mjs';

describe('the table of the clients', () => {
  test('shows what passed, what failed, what a client cannot and what was not run, with each reason once', () => {
    const never = { cannot: 'It never asks' };
    const codex = { name: 'codex', title: 'Codex', version: '2.0.0' };
    const pi = { name: 'pi', title: 'pi', version: '1.0.0' };
    const lines = toTable([
      { ...pi, cases: { allow: { passed: false }, plan: never, form: never } },
      { ...codex, cases: { allow: { passed: true, note: 'In a terminal' }, plan: never } },
    ]).split('\n');
    expect(lines[0]).toBe('|  | Codex 2.0.0 | pi 1.0.0 |');
    expect(lines).toContain('| allow | yes [1] | **fails** |');
    expect(lines).toContain('| plan | – [2] | – [2] |');
    expect(lines).toContain('| form | not run | – [2] |');
    expect(lines.slice(-3)).toEqual(['', '1. In a terminal', '2. It never asks']);
  });
});

describe.each(listClients())('the lock of $name', ({ source, version }) => {
  const lock = readFileSync(join(source, 'package-lock.json'), 'utf8');

  test('pins one version, and names no registry', () => {
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(lock).toContain(`"version": "${version}`);
    expect(lock).not.toContain('"resolved"');
    expect(existsSync(join(source, '.npmrc'))).toBe(true);
  });
});
