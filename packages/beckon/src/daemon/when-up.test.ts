import { expect, test } from 'vitest';
import { BeckonError } from '../protocol/errors.ts';
import { whenUp } from './when-up.ts';

const away = new BeckonError('store_unavailable', 'Postgres cannot be reached (the database system is starting up).');

test('it tries until the server is there, and says once that it waits', async () => {
  const failures = [away, away, away];
  const told: unknown[] = [];
  const open = async (): Promise<string> => {
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    return 'opened';
  };
  expect(await whenUp(open, { onWait: (error) => told.push(error), firstPauseMs: 1 })).toBe('opened');
  expect(told).toEqual([away]);
});

test('at the end of its patience it throws what the last try failed with', async () => {
  let tries = 0;
  const open = async (): Promise<never> => {
    tries += 1;
    throw new BeckonError('store_unavailable', `try ${tries}`);
  };
  await expect(whenUp(open, { onWait: () => undefined, firstPauseMs: 1, limitMs: 20 })).rejects.toThrow(/^try \d+$/);
  expect(tries).toBeGreaterThan(1);
});

test.each(['store_misconfigured', 'store_too_new', 'store_corrupt'] as const)('%s is not waited for', async (code) => {
  const told: unknown[] = [];
  const open = () => Promise.reject(new BeckonError(code, 'no'));
  await expect(whenUp(open, { onWait: (error) => told.push(error) })).rejects.toMatchObject({ code });
  expect(told).toEqual([]);
});

test('a signal ends the wait', async () => {
  const stopped = new AbortController();
  const waiting = whenUp(() => Promise.reject(away), { onWait: () => stopped.abort(), signal: stopped.signal });
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
});
