import { expect, test } from 'vitest';
import { chooseDestination, toDestination } from './destination.ts';

test.each([
  ['https://team.example', 'https://team.example'],
  ['HTTPS://Team.Example:443//', 'https://team.example'],
  ['http://127.0.0.1:9/team/', 'http://127.0.0.1:9/team'],
  ['http://127.0.0.1:9/a//b', 'http://127.0.0.1:9/a//b'],
])('the address %s is %s', (url, destination) => {
  expect(toDestination(url)).toBe(destination);
});

test.each([
  ['nonsense', 'The address of the backend is not a URL. Give one such as https://team.example'],
  ['ftp://host', 'The address of the backend must be http or https, not ftp:'],
  ['http://user@host', 'must have no user, password, query or fragment. Give the token apart.'],
  ['http://:pw@host', 'must have no user'],
  ['http://host/?q=1', 'must have no user'],
  ['http://host/#x', 'must have no user'],
])('the address %s is refused', (url, message) => {
  const refused = expect.objectContaining({ code: 'invalid_input', message: expect.stringContaining(message) });
  expect(() => toDestination(url)).toThrow(refused);
});

test('the backend that is named comes before the one that is configured', () => {
  expect(chooseDestination('http://named/', 'http://configured')).toBe('http://named');
  expect(chooseDestination(undefined, 'http://configured/')).toBe('http://configured');
  expect(() => chooseDestination(undefined, undefined)).toThrow('No backend is configured. Name one');
});
