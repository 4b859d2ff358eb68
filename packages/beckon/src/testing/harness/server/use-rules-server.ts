import { afterEach, beforeEach, expect } from 'vitest';
import type { Interaction } from '../../../protocol/interaction.ts';
import type { RuleDraft } from '../../../protocol/rule.ts';
import { createTestApp, type TestApp, type TestReply } from './test-app.ts';

/** `npm test`, and nothing after it. */
export const NPM_TEST: RuleDraft = { effect: 'allow', tool: 'Bash', match: { commands: [{ words: ['npm', 'test'] }] } };
/** What is refused. */
export const FORBIDDEN = [403, 'forbidden'];

/** For each test around it a server, and everybody who comes in with rights of their own about rules. */
export function useRulesServer() {
  let server: TestApp;
  let tokens: Record<string, string>;

  beforeEach(async () => {
    server = await createTestApp();
    const { issuedTokens } = server;
    tokens = {
      ...server.tokens,
      // "ana" is the person.
      anasAgent: await issuedTokens.create({ name: 'anas-agent', role: 'agent', owner: 'ana' }),
      answerOnly: await issuedTokens.create({ name: 'bo', role: 'person', answerOnly: true }),
      bosAgent: await issuedTokens.create({ name: 'bos-agent', role: 'agent', owner: 'bo' }),
      teamAnswerOnly: await issuedTokens.create({ name: 'tim', role: 'person', answerOnly: true, chatId: 'team' }),
      otherPerson: await issuedTokens.create({ name: 'cleo', role: 'person' }),
    };
  });
  afterEach(() => server.dispose());

  const send = (as: string, method: string, url: string, body?: unknown): Promise<TestReply> =>
    server.inject({
      method: method as 'GET',
      url,
      headers: { authorization: `Bearer ${tokens[as]}` },
      ...(body !== undefined && { payload: body as object }),
    });

  return {
    get app() {
      return server;
    },
    send,
    /** The status, and the code if it is a problem. */
    outcome: async (as: string, method: string, url: string, body?: unknown): Promise<unknown[]> => {
      const { status, body: reply } = await send(as, method, url, body);
      return status < 400 ? [status] : [status, reply.code];
    },
    /** Makes a rule for `npm test`, and gives its id. */
    make: async (as: string, rule: Partial<RuleDraft> = {}): Promise<string> => {
      const { status, body } = await send(as, 'POST', '/v1/rules', { rule: { ...NPM_TEST, ...rule } });
      expect([status, body.detail]).toEqual([201, undefined]);
      return body.id;
    },
    /** Asks whether a command may run. */
    ask: async (as: string, command = 'npm test', fields: object = {}): Promise<Interaction> => {
      const request = { tool: 'Bash', input: { command } };
      const { status, body } = await send(as, 'POST', '/v1/interactions', { kind: 'approval', request, ...fields });
      expect(status).toBe(201);
      return body;
    },
  };
}
