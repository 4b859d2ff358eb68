import { expect, it } from 'vitest';
import { DEFAULT_TIMEOUT_SECONDS, LIMITS } from './limits.ts';

it('the limits are the promised ones', () => {
  expect(LIMITS).toEqual({
    requestBytes: 1024 * 1024,
    hookBytes: 4 * 1024 * 1024,
    textBytes: 64 * 1024,
    planComments: 100,
    options: 100,
    contextBytes: 64 * 1024,
    groupSteps: 20,
    depth: 64,
    idChars: 200,
    rules: 10_000,
    destinations: 20,
    allDestinations: 10_000,
    escalations: 10,
    policies: 1000,
    pageItems: 200,
    durationSeconds: 10 * 365 * 24 * 60 * 60,
  });
});

it('an interaction waits five minutes by default', () => {
  expect(DEFAULT_TIMEOUT_SECONDS).toBe(300);
});
