import { describe, expect, test } from 'vitest';
import type { RuleDraft } from '../protocol/rule.ts';
import { FORBIDDEN, NPM_TEST, useRulesServer } from '../testing/harness/server/use-rules-server.ts';

const server = useRulesServer();
const { send, outcome, make, ask } = server;
const NONE = '/v1/rules/rule_none';
const HIDDEN = [404, 'rule_not_found'];

describe('who makes a rule', () => {
  test.each<[string, string, RuleDraft['scope'], unknown[]]>([
    ['an admin, for everybody', 'admin', {}, [201]],
    ['an admin, for an agent', 'admin', { askedBy: 'builder' }, [201]],
    ['a person, for everybody', 'person', {}, FORBIDDEN],
    ['a person, for a chat', 'person', { chatId: 'team' }, FORBIDDEN],
    ['a person, for an agent that nobody owns', 'person', { askedBy: 'builder' }, FORBIDDEN],
    ["a person, for somebody else's agent", 'person', { askedBy: 'bos-agent' }, FORBIDDEN],
    ['a person, for a name that looks like that of their agent', 'person', { askedBy: 'Anas-agent' }, FORBIDDEN],
    ['a person, for themselves', 'person', { askedBy: 'ana' }, FORBIDDEN],
    ['a person, for their own agent', 'person', { askedBy: 'anas-agent' }, [201]],
    ['a person, for a project of their own agent', 'person', { askedBy: 'anas-agent', project: 'webshop' }, [201]],
    ['whoever is limited to a chat, for that chat', 'teamPerson', { chatId: 'team' }, [201]],
    ['whoever is limited to a chat, for another chat', 'teamPerson', { chatId: 'other' }, FORBIDDEN],
    ['whoever is limited to a chat, for all chats', 'teamPerson', {}, FORBIDDEN],
    ['an admin who is limited to a chat, for that chat', 'teamAdmin', { chatId: 'team' }, [201]],
    ['an admin who is limited to a chat, for all chats', 'teamAdmin', {}, FORBIDDEN],
    ['somebody who only answers, for their own agent', 'answerOnly', { askedBy: 'bos-agent' }, FORBIDDEN],
    ['somebody who only answers, for their chat', 'teamAnswerOnly', { chatId: 'team' }, FORBIDDEN],
    ['an agent, for itself', 'anasAgent', { askedBy: 'anas-agent' }, FORBIDDEN],
  ])('%s', async (_, as, scope, expected) => {
    expect(await outcome(as, 'POST', '/v1/rules', { rule: { ...NPM_TEST, scope } })).toEqual(expected);
    expect((await server.app.store.rules.all()).length).toBe(expected[0] === 201 ? 1 : 0);
  });

  test('a refusal names what is possible', async () => {
    const detailOf = async (as: string, scope = {}): Promise<string> =>
      (await send(as, 'POST', '/v1/rules', { rule: { ...NPM_TEST, scope } })).body.detail;
    expect(await detailOf('person')).toBe(
      'Only an admin can make a rule for all agents. Name one of your agents in "scope.askedBy": "anas-agent".',
    );
    expect(await detailOf('otherPerson', { askedBy: 'builder' })).toMatch(
      /^Only an admin can make a rule for the agent "builder", which is not yours\. No agent is yours yet: .*--owner/,
    );
    expect(await detailOf('teamPerson')).toContain('Set "scope.chatId" to it');
    expect(await detailOf('answerOnly')).toContain('You may answer, but not make or change rules');
  });

  test('the author is the caller, whatever the body says', async () => {
    const forged = { rule: { ...NPM_TEST, createdBy: 'ana', authorId: 'x' } };
    expect(await outcome('admin', 'POST', '/v1/rules', forged)).toEqual([400, 'invalid_input']);
    const { body } = await send('admin', 'POST', '/v1/rules', { rule: NPM_TEST });
    expect(body).toMatchObject({ createdBy: 'root', authorId: server.app.tokens.admin.split('_')[1] });
  });

  test('a logged-in browser makes rules under its own id, and only from the page', async () => {
    const { code } = await server.app.devices.createCode({ name: 'ada', role: 'admin' });
    const login = await server.app.devices.logIn(code, 'Chrome');
    const page = { host: '127.0.0.1:8228', origin: 'http://127.0.0.1:8228' };
    const cookie = `beckon_device_8228=${login?.cookie}`;
    const add = { method: 'POST', url: '/v1/rules', payload: { rule: NPM_TEST } } as const;
    const other = await server.app.inject({ ...add, headers: { ...page, cookie, origin: 'https://evil.example' } });
    expect([other.status, other.body.code]).toEqual([403, 'origin_refused']);
    const without = await server.app.inject({ ...add, headers: { host: page.host, cookie } });
    expect(without.status).toBe(403);
    expect(await server.app.store.rules.all()).toEqual([]);
    const made = await server.app.inject({ ...add, headers: { ...page, cookie } });
    expect(made).toMatchObject({ status: 201, body: { createdBy: 'ada', authorId: login?.caller.device } });
  });
});

describe('who sees, changes and removes a rule', () => {
  test.each<[string, string, { see: boolean; change: boolean }]>([
    ['an admin', 'admin', { see: true, change: true }],
    ['its author', 'person', { see: true, change: true }],
    ['another person', 'otherPerson', { see: true, change: false }],
    ['somebody who only answers', 'answerOnly', { see: true, change: false }],
  ])("a person's rule: %s", async (_, as, { see, change }) => {
    const id = await make('person', { scope: { askedBy: 'anas-agent' } });
    expect((await send(as, 'GET', '/v1/rules')).body.items).toHaveLength(see ? 1 : 0);
    expect(await outcome(as, 'GET', `/v1/rules/${id}`)).toEqual([200]);
    const edit = { change: { mode: 'watch' } };
    expect(await outcome(as, 'PATCH', `/v1/rules/${id}`, edit)).toEqual(change ? [200] : FORBIDDEN);
    expect(await outcome(as, 'DELETE', `/v1/rules/${id}`)).toEqual(change ? [200] : FORBIDDEN);
    expect(await server.app.store.rules.all()).toHaveLength(change ? 0 : 1);
  });

  test.each(['teamPerson', 'teamAdmin'])('a rule of all chats does not exist for %s', async (as) => {
    const id = await make('admin');
    expect((await send(as, 'GET', '/v1/rules')).body).toEqual({ items: [] });
    expect(await outcome(as, 'GET', `/v1/rules/${id}`)).toEqual(HIDDEN);
    expect(await outcome(as, 'PATCH', `/v1/rules/${id}`, { change: { mode: 'watch' } })).toEqual(HIDDEN);
    expect((await send(as, 'DELETE', `/v1/rules/${id}`)).body).toEqual({ removed: false });
    expect(await server.app.store.rules.all()).toHaveLength(1);
  });

  test('within a chat, a person changes their own rules and an admin of the chat all of them', async () => {
    const own = await make('teamPerson', { scope: { chatId: 'team' } });
    const admins = await make('admin', { scope: { chatId: 'team' } });
    expect((await send('teamPerson', 'GET', '/v1/rules')).body.items).toHaveLength(2);
    expect(await outcome('teamPerson', 'DELETE', `/v1/rules/${admins}`)).toEqual(FORBIDDEN);
    expect(await outcome('teamPerson', 'PATCH', `/v1/rules/${admins}`, { change: { mode: 'watch' } })).toEqual(
      FORBIDDEN,
    );
    expect(await outcome('teamPerson', 'PATCH', `/v1/rules/${own}`, { change: { mode: 'watch' } })).toEqual([200]);
    expect(await outcome('teamAdmin', 'DELETE', `/v1/rules/${own}`)).toEqual([200]);
  });

  test('an edit cannot make a rule wider than its editor may', async () => {
    const own = await make('person', { scope: { askedBy: 'anas-agent' } });
    for (const scope of [{}, null, { askedBy: 'builder' }, { chatId: 'team' }]) {
      expect(await outcome('person', 'PATCH', `/v1/rules/${own}`, { change: { scope } })).toEqual(FORBIDDEN);
    }
    const inChat = await make('teamPerson', { scope: { chatId: 'team' } });
    expect(await outcome('teamPerson', 'PATCH', `/v1/rules/${inChat}`, { change: { scope: {} } })).toEqual(FORBIDDEN);
    expect((await server.app.store.rules.all()).map(({ scope }) => scope)).toEqual([
      { askedBy: 'anas-agent' },
      { chatId: 'team' },
    ]);
  });

  test('whoever edits a rule becomes its author', async () => {
    const id = await make('person', { scope: { askedBy: 'anas-agent' } });
    const { body } = await send('admin', 'PATCH', `/v1/rules/${id}`, { change: { reason: 'Tests' } });
    expect(body).toMatchObject({ createdBy: 'root', authorId: server.app.tokens.admin.split('_')[1], reason: 'Tests' });
    expect(await outcome('person', 'DELETE', `/v1/rules/${id}`)).toEqual(FORBIDDEN);
  });

  test('an unknown rule is 404, and removing it is no error', async () => {
    expect(await outcome('admin', 'GET', NONE)).toEqual(HIDDEN);
    expect(await outcome('admin', 'PATCH', NONE, { change: {} })).toEqual(HIDDEN);
    expect((await send('admin', 'DELETE', NONE)).body).toEqual({ removed: false });
  });

  test('agents see nothing of rules', async () => {
    const id = await make('admin');
    const decided = await ask('agent');
    for (const [method, url, body] of [
      ['GET', '/v1/rules'],
      ['GET', `/v1/rules/${id}`],
      ['GET', '/v1/rules/suggestions'],
      ['GET', `/v1/interactions/${decided.id}/rule-offers`],
      ['POST', '/v1/rules/preview', { rule: NPM_TEST }],
      ['POST', '/v1/rules/test', { sample: { request: { tool: 'Bash', input: {} } } }],
      ['POST', `/v1/interactions/${decided.id}/wrong`, {}],
    ] as const) {
      expect([url, ...(await outcome('agent', method, url, body))]).toEqual([url, ...FORBIDDEN]);
    }
  });
});
