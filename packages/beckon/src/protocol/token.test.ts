import { expect, test } from 'vitest';
import { parse } from './parse.ts';
import { ROLES, Role } from './token.ts';

test('there are three roles', () => {
  expect(ROLES).toEqual(['agent', 'person', 'admin']);
  for (const role of ROLES) expect(parse(Role, role, { what: 'role' })).toBe(role);
  expect(() => parse(Role, 'root', { what: 'role' })).toThrow(
    'Invalid role: expected "agent" or "person" or "admin", got "root" (text)',
  );
});
