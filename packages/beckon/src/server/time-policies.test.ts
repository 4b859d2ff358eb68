import { describe, expect, test } from 'vitest';
import { LIMITS } from '../protocol/limits.ts';
import { FORBIDDEN, useRulesServer } from '../testing/harness/server/use-rules-server.ts';
import { until } from '../testing/suites/until.ts';

const server = useRulesServer();
const { send, outcome, ask } = server;
const PATH = '/v1/time-policies';
const INVALID = [400, 'invalid_input'];

describe('who sets a time policy', () => {
  test.each<[string, string, object, unknown[]]>([
    ['an admin, for a project', 'admin', { project: 'web shop' }, [200]],
    ['an admin, for a chat', 'admin', { chatId: 'team' }, [200]],
    ['a person, for a project', 'person', { project: 'webshop' }, FORBIDDEN],
    ['a person, for a chat', 'person', { chatId: 'team' }, FORBIDDEN],
    ['whoever is limited to a chat, for that chat', 'teamPerson', { chatId: 'team' }, [200]],
    ['whoever is limited to a chat, for another', 'teamPerson', { chatId: 'other' }, FORBIDDEN],
    ['whoever is limited to a chat, for a project', 'teamPerson', { project: 'webshop' }, FORBIDDEN],
    ['somebody who only answers, for their chat', 'teamAnswerOnly', { chatId: 'team' }, FORBIDDEN],
    ['an agent', 'agent', { chatId: 'default' }, FORBIDDEN],
  ])('%s', async (_, as, scope, expected) => {
    expect(await outcome(as, 'PUT', PATH, { ...scope, remindAfter: '5m' })).toEqual(expected);
    const isKept = expected[0] === 200;
    expect((await send('admin', 'GET', PATH)).body.items).toHaveLength(isKept ? 1 : 0);
    await send('admin', 'PUT', PATH, { ...scope, remindAfter: '6m' });
    const query = new URLSearchParams(scope as Record<string, string>).toString();
    expect(await outcome(as, 'DELETE', `${PATH}?${query}`)).toEqual(expected);
    expect((await send('admin', 'GET', PATH)).body.items).toHaveLength(isKept ? 0 : 1);
  });

  test('who is limited to a chat sees the policy of that chat alone; an agent sees none', async () => {
    for (const scope of [{ chatId: 'team' }, { chatId: 'other' }, { project: 'webshop' }]) {
      await send('admin', 'PUT', PATH, { ...scope, escalate: [{ after: '5m', to: 'ana' }] });
    }
    expect((await send('person', 'GET', PATH)).body.items).toHaveLength(3);
    expect((await send('teamPerson', 'GET', PATH)).body.items).toMatchObject([{ chatId: 'team', setBy: 'root' }]);
    expect(await outcome('agent', 'GET', PATH)).toEqual(FORBIDDEN);
  });
});

describe('a time policy', () => {
  test('is kept as it was given, in place of the one before', async () => {
    const first = { chatId: 'team', remindAfter: '5m' };
    const second = { chatId: 'team', escalate: [{ after: 90, to: 'ana' }] };
    expect((await send('admin', 'PUT', PATH, first)).body).toMatchObject(first);
    expect((await send('admin', 'PUT', PATH, second)).body).toMatchObject(second);
    const { items } = (await send('admin', 'GET', PATH)).body;
    expect(items).toEqual([{ ...second, setBy: 'root', setAt: expect.any(String) }]);
    expect(await outcome('admin', 'DELETE', `${PATH}?project=team`)).toEqual([200]);
    expect((await send('admin', 'DELETE', `${PATH}?chatId=team`)).body).toEqual({ removed: true });
    expect((await send('admin', 'DELETE', `${PATH}?chatId=team`)).body).toEqual({ removed: false });
  });

  test.each<[string, object]>([
    ['for nothing', { remindAfter: '5m' }],
    ['for a chat and a project', { chatId: 'team', project: 'webshop', remindAfter: '5m' }],
    ['that says nothing', { chatId: 'team' }],
    ['with a field that nobody knows', { chatId: 'team', remindAfter: '5m', setBy: 'ana' }],
    ['to somebody who does not exist', { chatId: 'team', escalate: [{ after: 1, to: 'nobody' }] }],
    ['to an agent', { chatId: 'team', escalate: [{ after: 1, to: 'builder' }] }],
    ['to a destination that does not exist', { chatId: 'team', escalate: [{ after: 1, to: 'dst_none' }] }],
    ['with a name that hides something', { project: 'web\u0007shop', remindAfter: 1 }],
  ])('%s is refused', async (_, policy) => {
    expect(await outcome('admin', 'PUT', PATH, policy)).toEqual(INVALID);
    expect((await send('admin', 'GET', PATH)).body.items).toEqual([]);
  });

  test('beyond the limit is refused, and those that exist can be changed', async () => {
    const { policies } = server.app.store;
    const by = { setBy: 'root', setAt: '2026-01-01T00:00:00.000Z' };
    await Promise.all(
      Array.from({ length: LIMITS.policies }, (_, index) =>
        policies.set({ chatId: `c${index}`, remindAfter: 1, ...by }),
      ),
    );
    expect(await outcome('admin', 'PUT', PATH, { chatId: 'more', remindAfter: 1 })).toEqual(INVALID);
    expect(await outcome('admin', 'PUT', PATH, { chatId: 'c7', remindAfter: 2 })).toEqual([200]);
    expect(await policies.list()).toHaveLength(LIMITS.policies);
  });

  test('counts for what agents ask over HTTP, and what an ask says itself comes first', async () => {
    await send('admin', 'PUT', PATH, {
      project: 'webshop',
      remindAfter: '10ms',
      escalate: [{ after: '20ms', to: 'ana' }],
    });
    const context = { project: 'webshop' };
    const plain = await ask('agent', 'npm publish', { context });
    const own = await ask('agent', 'npm publish', {
      context,
      remindAfter: null,
      escalate: [{ after: '15ms', to: 'bo' }],
    });
    const readFired = async (): Promise<string[]> => {
      const log = await server.app.store.readLog({ after: 0, limit: 99 });
      return log
        .filter(({ type }) => /reminded|escalated/.test(type))
        .map((event) => `${'interactionId' in event && event.interactionId} ${'to' in event ? event.to : 'reminded'}`);
    };
    await until(async () =>
      expect((await readFired()).toSorted()).toEqual(
        [`${plain.id} reminded`, `${plain.id} ana`, `${own.id} bo`].toSorted(),
      ),
    );
  });
});
