import { expect, test } from 'vitest';
import type { ContextInput } from '../../protocol/context.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { ask } from './samples.ts';
import { type CreateBeckonDatabase, useBeckons } from './use-beckons.ts';

const CONTEXT: ContextInput = {
  project: 'webshop',
  folder: '/home/ada/webshop',
  branch: 'main',
  machine: 'ada-laptop',
  agent: 'Claude Code',
  title: 'Convert the cart',
  prompt: 'Now the tests',
  message: 'All tests pass. '.repeat(100),
  calls: [{ tool: 'Bash', about: 'npm test', outcome: 'ok', ms: 1200 }],
  conversation: [{ by: 'person', text: 'Convert the cart' }],
  files: [{ path: '/home/ada/webshop/a.ts', sha256: null }],
};

/** What surrounds a request. */
export function testBeckonContext(create: CreateBeckonDatabase): void {
  const beckons = useBeckons(create);

  test('every copy of a request has the summary of its context, and the rest can be read', async () => {
    const { id, context } = await beckons.beckon.ask(ask({ context: CONTEXT }));
    const { project, folder, branch, machine, agent, title } = CONTEXT;
    expect(context).toEqual({
      project,
      folder,
      branch,
      machine,
      agent,
      title,
      message: `${CONTEXT.message?.slice(0, 500)}…`,
      files: [{ path: '/home/ada/webshop/a.ts', isNew: true, isSeen: true }],
      hasMore: true,
    });
    expect((await beckons.beckon.get(id))?.context).toEqual(context);
    expect((await beckons.beckon.list()).items[0]?.context).toEqual(context);
    expect(await beckons.beckon.context(id)).toEqual(CONTEXT);
    const other = await beckons.open();
    expect(await other.context(id)).toEqual(CONTEXT);
  });

  test('a request without a context, or without more than its names, has nothing more to read', async () => {
    const { id, context } = await beckons.beckon.ask(ask());
    expect(context).toBeUndefined();
    expect(await beckons.beckon.context(id)).toBeNull();
    const named = await beckons.beckon.ask(ask({ context: { project: 'webshop' } }));
    expect(named.context).toEqual({ project: 'webshop' });
    expect(await beckons.beckon.context(named.id)).toBeNull();
    expect(await beckons.beckon.context('nobody')).toBeNull();
  });

  test.for<[string, unknown, string]>([
    ['a text', 'webshop', 'context: expected an object, got "webshop" (text)'],
    ['a wrong field', { project: 7 }, 'project: left out, got 7 (number)'],
    ['an unknown field', { mood: 'good' }, 'context: left out the unknown field "mood"'],
    ['too much', { message: 'x'.repeat(100_000) }, 'message: cut, because the context was larger than 64 KiB'],
  ])('a context that is %s does not keep the request from being asked', async ([, context, note]) => {
    const asked = await beckons.beckon.ask(ask({ context: context as ContextInput }));
    expect(asked.status).toBe('pending');
    const read = await beckons.beckon.context(asked.id);
    expect(read?.notes).toEqual([note]);
    expect(JSON.stringify(read).length).toBeLessThan(LIMITS.contextBytes + 1000);
  });

  test('the same request with another context is the same request', async () => {
    const first = await beckons.beckon.ask(ask({ idempotencyKey: 'k', context: CONTEXT }));
    const again = await beckons.beckon.ask(ask({ idempotencyKey: 'k', context: { project: 'other' } }));
    expect(again.id).toBe(first.id);
    expect(again.context).toEqual(first.context);
  });

  test('each request of a group has its own context', async () => {
    const asked = await beckons.beckon.askGroup([
      ask({ context: { prompt: 'one' } }),
      ask({ context: { prompt: 'two' } }),
    ]);
    const read = await Promise.all(asked.map(({ id }) => beckons.beckon.context(id)));
    expect(read).toEqual([{ prompt: 'one' }, { prompt: 'two' }]);
  });
}
