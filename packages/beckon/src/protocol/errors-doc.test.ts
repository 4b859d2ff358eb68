import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ERROR_CATALOGUE } from './errors.ts';

const page = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8');
const [, ...sections] = page.split(/^## /m);

describe('docs/errors.md', () => {
  it('has exactly the codes of the catalogue, each with its status and title', () => {
    const documented = sections.map((section) => {
      const [, code = section, status, title] = /^`(\w+)`\n\n\*\*HTTP (\d{3})\.\*\* (.+)\.\n/.exec(section) ?? [];
      return [code, { status: Number(status), title }];
    });
    expect(documented).toEqual(Object.entries(ERROR_CATALOGUE));
  });

  it.each(sections.map((section) => [section.split('\n')[0], section]))(
    'says what %s means and what to do',
    (_, section) => {
      expect(section).toMatch(/\n\n\*\*Meaning:\*\* .+(\n.+)*\.\n\n\*\*What to do:\*\* .+(\n.+)*\.\n+$/);
    },
  );
});
