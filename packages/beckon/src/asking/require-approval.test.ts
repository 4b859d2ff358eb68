import { describe, expect, test } from 'vitest';
import { PLACES, usePlace } from '../testing/harness/use-places.ts';
import { NotAllowedError, requireApproval } from './require-approval.ts';

describe.each(PLACES)('requireApproval %s', (where) => {
  const place = usePlace(where);

  const ran: unknown[][] = [];
  async function deploy(...args: [input: { stage: string }, call?: { id: string; signal?: AbortSignal }]) {
    ran.push(args);
    return `deployed to ${args[0].stage}`;
  }

  test('runs the function with the input that was allowed, and passes on the rest', async () => {
    ran.length = 0;
    const guarded = requireApproval(place.agent, deploy, {
      description: 'Ships it.',
      ...place.answer({ decision: 'allow', updatedInput: { stage: 'staging' } }),
    });
    expect(await guarded({ stage: 'production' }, { id: 'call-1' })).toBe('deployed to staging');
    expect(ran).toEqual([[{ stage: 'staging' }, { id: 'call-1' }]]);
    expect((await place.person.list()).items).toMatchObject([
      { request: { tool: 'deploy', input: { stage: 'production' }, description: 'Ships it.' } },
    ]);
  });

  test('does not run a function that was denied, and says why', async () => {
    ran.length = 0;
    const guarded = requireApproval(
      place.agent,
      deploy,
      place.answer({ decision: 'deny', message: 'not on a Friday' }),
    );
    const error = await guarded({ stage: 'production' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NotAllowedError);
    expect(error).toMatchObject({
      message: 'deploy was not allowed to run. Denied by ada: not on a Friday',
      verdict: { allowed: false, because: 'denied' },
    });
    expect(ran).toEqual([]);
  });

  test('does not run a function that nobody answered for, and does not call it denied', async () => {
    ran.length = 0;
    const error = await requireApproval(place.agent, deploy, { timeout: 0.01 })({ stage: 'x' }).catch(String);
    expect(error).toBe('NotAllowedError: deploy was not allowed to run. Nobody answered in time.');
    expect(ran).toEqual([]);
  });

  test('finds key and signal of each call in its arguments', async () => {
    const guarded = requireApproval(place.agent, deploy, {
      key: (_, call) => call?.id,
      signal: (_, call) => call?.signal,
      ...place.answer({ decision: 'allow' }),
    });
    await guarded({ stage: 'a' }, { id: 'call-1' });
    await guarded({ stage: 'a' }, { id: 'call-1' });
    expect((await place.person.list()).items).toMatchObject([{ idempotencyKey: 'call-1' }]);
    await guarded({ stage: 'a' }, { id: 'call-2' });
    expect((await place.person.list()).items).toHaveLength(2);
    const left = new Error('I left');
    const aborted = guarded({ stage: 'a' }, { id: 'call-3', signal: AbortSignal.abort(left) });
    await expect(aborted).rejects.toBe(left);
  });

  test('asks for every call of a function without parameters, and passes on what it throws', async () => {
    const failure = new Error('out of order');
    function restart(): never {
      throw failure;
    }
    const guarded = requireApproval(place.agent, restart, place.answer({ decision: 'allow' }));
    await expect(guarded()).rejects.toBe(failure);
    await expect(guarded()).rejects.toBe(failure);
    expect((await place.person.list()).items).toMatchObject([{ request: { input: {} } }, { request: { input: {} } }]);
  });

  test('leaves out an input that was left out, so the default of the function counts', async () => {
    const stop = ({ grace }: { grace?: number } = { grace: 30 }, ...more: unknown[]): unknown[] => [grace, ...more];
    const guarded = requireApproval(place.agent, stop, place.answer({ decision: 'allow' }));
    expect(await guarded()).toEqual([30]);
    expect(await guarded(undefined, 'now')).toEqual([30, 'now']);
    expect(await guarded({})).toEqual([undefined]);
    const edited = place.answer({ decision: 'allow', updatedInput: { grace: 5 } });
    expect(await requireApproval(place.agent, stop, edited)()).toEqual([5]);
  });

  test('keeps the object of a method', async () => {
    class Server {
      readonly name = 'shop';
      restart = requireApproval(place.agent, this.restartNow, place.answer({ decision: 'allow' }));

      restartNow({ hard }: { hard: boolean }): string {
        return `${this.name} restarted${hard ? ' hard' : ''}`;
      }
    }
    expect(await new Server().restart({ hard: true })).toBe('shop restarted hard');
  });

  test('needs a name that people can read', () => {
    expect(() => requireApproval(place.agent, () => 1)).toThrow('Set `tool`');
    expect(requireApproval(place.agent, () => 1, { tool: 'count' })).toBeTypeOf('function');
  });
});
