import { describe, expect, test } from 'vitest';
import { useDaemon } from '../testing/harness/use-daemon.ts';
import { request } from './index.ts';

describe('a request over HTTP', () => {
  const daemon = useDaemon();

  test('gives the answer of its kind', async () => {
    const person = daemon.connect();
    const { status, answer } = await request(
      daemon.connect(),
      { kind: 'approval', request: { tool: 'deploy' } },
      {
        onAsked: ({ id }) =>
          void person.answer(id, { decision: 'deny', message: 'Not today' }, { who: 'ada', via: 'phone' }),
      },
    );
    expect({ status, answer }).toEqual({ status: 'answered', answer: { decision: 'deny', message: 'Not today' } });
  });

  test('is superseded by an agent that leaves', async () => {
    const token = await daemon.createToken('builder', 'agent');
    const abort = new AbortController();
    const left = new Error('the run was stopped');
    const requested = request(
      daemon.connect({ token }),
      { kind: 'question', request: { question: 'Deploy?' }, id: 'left-behind' },
      { signal: abort.signal, reason: 'The run was stopped', onAsked: () => setImmediate(() => abort.abort(left)) },
    );
    await expect(requested).rejects.toBe(left);
    expect(await daemon.connect().get('left-behind')).toMatchObject({
      status: 'superseded',
      reason: 'The run was stopped',
    });
  });
});
