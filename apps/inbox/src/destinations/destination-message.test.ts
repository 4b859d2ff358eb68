import { BeckonError } from 'beckon/protocol';
import { expect, test } from 'vitest';
import { toDestinationMessage } from './destination-message.ts';

test.each([
  ['too_many_requests', 'Too many tests were sent to this destination. Try again in 10 minutes.'],
  ['forbidden', 'Webhooks are told everything, so they need an admin.'],
  ['address_refused', 'The address 10.0.0.1 is inside the network.'],
] as const)('for %s the words of the server stay', (code, words) => {
  expect(toDestinationMessage(new BeckonError(code, words))).toBe(words);
});

test('what this Beckon is not set up for names what whoever runs it has to do', () => {
  expect(toDestinationMessage(new BeckonError('destination_unsupported', 'x'))).toContain('BECKON_SMTP_URL');
});

test('everything else has the words of the page', () => {
  expect(toDestinationMessage(new BeckonError('unreachable', 'fetch failed'))).toBe('Beckon cannot be reached.');
  expect(toDestinationMessage(new Error('odd'))).toBe('odd');
});
