import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Beckon } from '../../core/beckon.ts';
import { toFileDiffs } from '../../diff/file-diff.ts';
import { openBeckon } from '../../open-beckon.ts';
import type { AnswerInput } from '../../protocol/answers.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { newId } from '../../runtime/new-id.ts';
import { until } from '../../testing/suites/until.ts';
import { readEvents } from '../../testing/suites/use-beckons.ts';
import type { Outside } from '../shared/ask-outside.ts';
import { createOpencodePlugin, type PluginHooks } from './plugin.ts';

interface Posted {
  url: string;
  path: { requestID: string };
  body: object;
}

let folder: string;
let beckon: Beckon;
let hooks: PluginHooks;
let posted: Posted[];
/** What opencode's server says to replies. */
let status: number;
let kept: string[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'beckon-opencode-'));
  beckon = await openBeckon({ store: `sqlite:${join(folder, 'beckon.db')}` });
  posted = [];
  status = 200;
  kept = [];
  hooks = createOpencodePlugin(
    createOutside(() => beckon),
    { client: { _client: CLIENT }, directory: folder },
  );
});
afterEach(async () => {
  await beckon.close();
  rmSync(folder, { recursive: true });
});

/** The server inside opencode, as its client reaches it. */
const CLIENT = {
  get: async ({ url }: { url: string }) => ({
    data: url.endsWith('/message')
      ? [
          { info: { role: 'user' }, parts: [{ type: 'text', text: 'Make a marker' }] },
          { info: { role: 'assistant' }, parts: [{ type: 'text', text: 'I will' }, { type: 'tool' }] },
        ]
      : { title: 'Markers' },
  }),
  post: async (options: Posted) => {
    posted.push(options);
    // opencode reports each reply before it confirms it.
    if (status === 200)
      send('permission.replied', { sessionID: 'ses_1', requestID: options.path.requestID, reply: 'once' });
    return { data: true, response: { status } };
  },
};

const PERMISSION = {
  id: 'per_1',
  sessionID: 'ses_1',
  permission: 'bash',
  patterns: ['touch marker.txt'],
  metadata: { command: 'touch marker.txt' },
  always: ['touch *'],
  tool: { messageID: 'msg_1', callID: 'call_1' },
};
const QUESTIONS = {
  id: 'que_1',
  sessionID: 'ses_1',
  questions: [
    { question: 'Which database?', header: 'Database', options: [{ label: 'SQLite' }, { label: 'Postgres' }] },
    { question: 'Which parts?', options: [{ label: 'a' }, { label: 'b' }, { label: 'c' }], multiple: true },
    { question: 'Go on?', options: [{ label: 'Yes' }, { label: 'No' }], custom: false },
  ],
};

test('a permission waits in Beckon with what surrounds it, and an allow reaches opencode once', async () => {
  const args = { command: 'touch marker.txt', description: 'Make a marker', workdir: '/srv' };
  await hooks['tool.execute.before']({ tool: 'bash', sessionID: 'ses_1', callID: 'call_1' }, { args });
  send('permission.asked', PERMISSION);
  const asked = await findAsked('approval');
  expect(asked).toMatchObject({
    sessionId: 'ses_1',
    metadata: { agent: 'opencode', cwd: folder, requestId: 'per_1', toolUseId: 'call_1' },
    context: { agent: 'opencode', title: 'Markers' },
    request: {
      tool: 'Bash',
      input: { command: 'touch marker.txt', workdir: '/srv' },
      description: 'Make a marker',
      suggestions: [{ rules: [{ toolName: 'Bash', ruleContent: 'touch *' }], destination: 'session' }],
      abilities: { denyText: true, editInput: false, remember: true },
    },
  });
  expect(await beckon.context(asked.id)).toMatchObject({ prompt: 'Make a marker', message: 'I will' });
  expect(kept).toEqual([asked.id]);
  await answer(asked, { decision: 'allow' });
  expect(await findPosted()).toMatchObject({ path: { requestID: 'per_1' }, body: { reply: 'once' } });
  await until(() => expect(kept).toEqual([]));
  expect(await beckon.get(asked.id)).toMatchObject({ status: 'answered' });
});

test.each<[string, AnswerInput, object]>([
  ['remembering', { decision: 'allow', remember: true }, { reply: 'always' }],
  ['a deny', { decision: 'deny' }, { reply: 'reject', message: 'ana denied Bash.' }],
  ['a deny with a text', { decision: 'deny', message: 'Not now' }, { reply: 'reject', message: 'Not now' }],
])('%s is said in opencode’s words', async (_, given, body) => {
  send('permission.asked', PERMISSION);
  await answer(await findAsked('approval'), given);
  expect((await findPosted()).body).toEqual(body);
});

test('an edit is shown as a diff of the file', async () => {
  const { path, edit } = makeEdit();
  send('permission.asked', edit);
  const asked = await findAsked('approval');
  const files = (await beckon.context(asked.id))?.files ?? [];
  expect(toFileDiffs(asked.request, files)).toMatchObject([{ path, added: 1, removed: 1 }]);
  await answer(asked, { decision: 'allow' });
  expect((await findPosted()).body).toEqual({ reply: 'once' });
});

test('an edit of a file that has changed meanwhile is refused, and that is noted', async () => {
  const { path, edit } = makeEdit();
  send('permission.asked', edit);
  const asked = await findAsked('approval');
  writeFileSync(path, 'other\n');
  await answer(asked, { decision: 'allow' });
  expect((await findPosted()).body).toMatchObject({ reply: 'reject', message: expect.stringContaining('has changed') });
  await readEvents(beckon, ({ type }) => type === 'interaction.withheld');
  expect(readFileSync(path, 'utf8')).toBe('other\n');
});

test('the questions of a call are a group, and each gets its list of labels', async () => {
  send('question.asked', QUESTIONS);
  const steps = await findGroup(3);
  expect(steps.map(({ request }) => (request as { abilities?: object }).abilities)).toEqual([
    { ownWords: true, notes: false },
    { ownWords: true, notes: false },
    { ownWords: false, notes: false },
  ]);
  const answers: AnswerInput[] = [{ text: 'my own' }, { selected: ['a', 'c'] }, { selected: ['Yes'] }];
  await beckon.answerGroup(
    steps[0]?.groupId ?? '',
    steps.map(({ id }, index) => ({ id, answer: answers[index]! })),
    { who: 'ana', via: 'test' },
  );
  expect(await findPosted()).toMatchObject({
    url: '/question/{requestID}/reply',
    body: { answers: [['my own'], ['a', 'c'], ['Yes']] },
  });
});

test.each([
  ['permission.replied', { reply: 'once' }, 'Allowed in opencode’s terminal'],
  ['permission.replied', { reply: 'always' }, 'Allowed in opencode’s terminal, and remembered there'],
  ['permission.replied', { reply: 'reject' }, 'Denied in opencode’s terminal'],
])('what the terminal answers ends the request: %s %j', async (type, properties, reason) => {
  send('permission.asked', PERMISSION);
  const { id } = await findAsked('approval');
  send(type, { sessionID: 'ses_1', requestID: 'per_1', ...properties });
  expect(await beckon.wait(id)).toMatchObject({ status: 'superseded', reason });
  expect(posted).toEqual([]);
});

test('an answer of the terminal that comes before Beckon has the request ends it all the same', async () => {
  send('question.asked', { ...QUESTIONS, questions: QUESTIONS.questions.slice(0, 1) });
  send('question.replied', { sessionID: 'ses_1', requestID: 'que_1', answers: [['SQLite']] });
  send('permission.asked', PERMISSION);
  await findAsked('approval');
  const { items } = await beckon.list({ kind: 'question', status: 'pending' });
  expect(items).toEqual([]);
});

test('a permission that was answered before it was asked is not asked, and one that is asked twice is asked once', async () => {
  send('permission.replied', { sessionID: 'ses_1', requestID: 'per_0', reply: 'once' });
  send('permission.asked', { ...PERMISSION, id: 'per_0' });
  send('permission.asked', PERMISSION);
  send('permission.asked', PERMISSION);
  await answer(await findAsked('approval'), { decision: 'allow' });
  await findPosted();
  send('permission.asked', PERMISSION);
  send('permission.asked', { ...PERMISSION, id: 'per_2' });
  await findAsked('approval');
  expect((await beckon.list()).items.map(({ metadata }) => metadata?.['requestId'])).toEqual(['per_2', 'per_1']);
});

test.each(['session.idle', 'session.error', 'session.deleted'])(
  '%s ends what its session left open, and nothing else',
  async (type) => {
    send('permission.asked', PERMISSION);
    const mine = await findAsked('approval');
    send('permission.asked', { ...PERMISSION, id: 'per_2', sessionID: 'ses_2' });
    await until(async () => expect((await beckon.list({ status: 'pending' })).items).toHaveLength(2));
    send(type, type === 'session.deleted' ? { info: { id: 'ses_1' } } : { sessionID: 'ses_1' });
    expect(await beckon.wait(mine.id)).toMatchObject({ status: 'superseded', reason: 'opencode ended the turn' });
    const { items } = await beckon.list({ status: 'pending' });
    expect(items).toMatchObject([{ sessionId: 'ses_2' }]);
  },
);

test('an answer that comes too late for opencode is noted', async () => {
  status = 404;
  send('permission.asked', PERMISSION);
  await answer(await findAsked('approval'), { decision: 'allow' });
  const events = await readEvents(beckon, ({ type }) => type === 'interaction.withheld');
  expect(events.at(-1)).toMatchObject({ reason: expect.stringContaining('no longer waited') });
});

test('events that nobody knows, or that make no sense, change nothing', async () => {
  const odd: unknown[] = [
    null,
    'permission.asked',
    { type: 'permission.asked' },
    { type: 'permission.asked', properties: { ...PERMISSION, id: 7 } },
    { type: 'permission.asked', properties: { ...PERMISSION, id: 'x'.repeat(10_000) } },
    {
      type: 'permission.asked',
      properties: { ...PERMISSION, id: 'per_9', metadata: { command: 'x'.repeat(2_000_000) } },
    },
    { type: 'question.asked', properties: { ...QUESTIONS, questions: [] } },
    { type: 'question.asked', properties: { ...QUESTIONS, questions: Array(1000).fill(QUESTIONS.questions[0]) } },
    { type: 'permission.replied', properties: { requestID: {} } },
    { type: 'session.error', properties: {} },
    { type: 'something.new', properties: { deep: { er: [] } } },
  ];
  for (const event of odd) await hooks.event({ event });
  send('permission.asked', PERMISSION);
  await findAsked('approval');
  expect((await beckon.list()).items).toHaveLength(1);
});

test('without Beckon opencode hears nothing', async () => {
  const opened: number[] = [];
  const none = createOpencodePlugin(
    createOutside(() => {
      opened.push(1);
      return null;
    }),
    { client: { _client: CLIENT }, directory: folder },
  );
  await none.event({ event: { type: 'permission.asked', properties: PERMISSION } });
  await until(() => expect(opened).toHaveLength(1));
  expect(posted).toEqual([]);
});

test('what is asked is noted before: opencode may be killed in the moment after', async () => {
  const wasKept: boolean[] = [];
  const watched = new Proxy(beckon, {
    get: (target, name: keyof Beckon) =>
      name === 'ask'
        ? (input: Parameters<Beckon['ask']>[0]) => {
            wasKept.push(kept.includes(`${input.id}`));
            return target.ask(input);
          }
        : (target[name] as () => unknown).bind(target),
  });
  const plugin = createOpencodePlugin(
    createOutside(() => watched),
    { client: { _client: CLIENT }, directory: folder },
  );
  await plugin.event({ event: { type: 'permission.asked', properties: PERMISSION } });
  await until(() => expect(wasKept).toEqual([true]));
});

test('a client that is not known is refused, so that the plugin does nothing', () => {
  const outside = createOutside(() => beckon);
  expect(() => createOpencodePlugin(outside, { client: {}, directory: folder })).toThrow('does not know');
});

function createOutside(open: () => Beckon | null): Outside {
  return {
    open,
    keep: (ids) => {
      kept = [...new Set([...kept, ...ids])];
      return () => {
        kept = kept.filter((id) => !ids.includes(id));
      };
    },
    newId,
  };
}

function send(type: string, properties: object): void {
  void hooks.event({ event: { type, properties } });
}

function makeEdit() {
  const path = join(folder, 'hello.txt');
  writeFileSync(path, 'a\nb\nc\n');
  const mark = '='.repeat(67);
  const diff = `Index: ${path}\n${mark}\n--- ${path}\n+++ ${path}\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n`;
  return { path, edit: { ...PERMISSION, permission: 'edit', metadata: { filepath: path, diff }, always: ['*'] } };
}

function findAsked<Kind extends Interaction['kind']>(kind: Kind): Promise<Extract<Interaction, { kind: Kind }>> {
  return until(async () => {
    const { items } = await beckon.list({ status: 'pending', kind });
    expect(items.length).toBeGreaterThan(0);
    return items[0] as Extract<Interaction, { kind: Kind }>;
  });
}

function findGroup(count: number): Promise<Interaction[]> {
  return until(async () => {
    const { items } = await beckon.list({ status: 'pending' });
    expect(items).toHaveLength(count);
    return items.toSorted((one, other) => Number(one.metadata?.['step']) - Number(other.metadata?.['step']));
  });
}

async function answer({ id }: Interaction, given: AnswerInput): Promise<void> {
  expect((await beckon.answer(id, given, { who: 'ana', via: 'test' })).result).toBe('accepted');
}

function findPosted(): Promise<Posted> {
  return until(() => {
    expect(posted).toHaveLength(1);
    return posted[0]!;
  });
}
