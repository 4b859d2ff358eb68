import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Beckon } from '../../core/beckon.ts';
import { openBeckon } from '../../open-beckon.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { findPending } from '../../testing/harness/find-pending.ts';
import { TEST_TIMEOUT_MS } from '../../testing/suites/until.ts';
import { AcpProxy } from './proxy.ts';

const BY = { who: 'ana', via: 'test' };
const OPTIONS = [
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'always', name: 'Always allow', kind: 'allow_always' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
];

let folder: string;
let beckon: Beckon;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'beckon-acp-'));
  beckon = await openBeckon({ store: `sqlite:${join(folder, 'beckon.db')}` });
});
afterEach(async () => {
  await beckon.close();
  rmSync(folder, { recursive: true });
});

describe('what goes through', () => {
  const json = fc.json().map((text) => text.replaceAll(/\r|\n/g, ' '));
  const line = fc.oneof(
    fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\n', '')),
    json,
    fc.record({ id: fc.integer(), method: fc.string(), params: fc.object() }).map((one) => JSON.stringify(one)),
    fc.record({ id: fc.integer(), result: fc.object() }).map((one) => JSON.stringify(one)),
    fc.constantFrom('[]', '[{"id":1}]', '{"id":1,"method":"session/request_permission","params":{}}', '{"id":{}}', ''),
    fc.constantFrom('{"method":"session/update"}', '{"id":1,"method":"elicitation/create","params":{"message":1}}'),
  );
  const lines = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n')).map((parts) => parts.join('')));

  test('is the same bytes in the same order, both ways', async () => {
    await fc.assert(
      fc.asyncProperty(lines, lines, fc.integer({ min: 1, max: 50 }), async (fromEditor, fromAgent, size) => {
        const { editor, agent, close } = start();
        write(editor.input, fromEditor.join(''), size);
        write(agent.output, fromAgent.join(''), size);
        await close();
        expect(agent.heard()).toBe(fromEditor.join(''));
        expect(editor.heard()).toBe(fromAgent.join(''));
      }),
      { numRuns: 200 },
    );
  });

  test('may be enormous, and may end in the middle of a line', async () => {
    const { editor, agent, close } = start();
    const enormous = `{"id":7,"method":"x","params":{"text":"${'x'.repeat(20 * 1024 * 1024)}"}}\n{"half`;
    agent.output.write(enormous);
    await close();
    expect(editor.heard() === enormous).toBe(true);
    expect(agent.heard()).toBe('');
  });
});

describe('a permission', () => {
  test('is asked in both places with what surrounds it, and Beckon answers first', async () => {
    const { editor, agent, close } = start();
    say(editor.input, { id: 0, method: 'initialize', params: {} });
    say(agent.output, { id: 0, result: { agentInfo: { name: 'gemini-cli', title: 'Gemini CLI' } } });
    say(editor.input, { id: 1, method: 'session/new', params: { cwd: folder } });
    await whenTrue(() => agent.heard().includes('session/new'));
    say(agent.output, { id: 1, result: { sessionId: 's 1' } });
    await whenTrue(() => editor.heard().includes('s 1'));
    const prompt = [{ type: 'text', text: 'Make it' }];
    say(editor.input, { id: 2, method: 'session/prompt', params: { sessionId: 's 1', prompt } });
    await whenTrue(() => agent.heard().includes('session/prompt'));
    for (const text of ['I will ', 'do it.']) {
      const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
      say(agent.output, { method: 'session/update', params: { sessionId: 's 1', update } });
    }
    say(agent.output, permission(0, { sessionId: 's 1' }));
    const asked = await pending();
    expect(asked).toMatchObject({
      kind: 'approval',
      request: {
        tool: 'Bash',
        input: { command: 'make all' },
        suggestions: [{ option: 'Always allow' }],
        abilities: { denyText: false, editInput: false, remember: true },
      },
      metadata: { agent: 'gemini', cwd: folder },
      context: { agent: 'Gemini CLI', folder, message: 'I will do it.' },
    });
    expect(await beckon.context(asked.id)).toMatchObject({ prompt: 'Make it' });
    await beckon.answer(asked.id, { decision: 'allow', remember: true }, BY);
    await whenTrue(() => editor.messages().some(({ method }) => method === '$/cancel_request'));
    expect(agent.messages().at(-1)).toEqual(selected(0, 'always'));
    // The editor's answer comes too late.
    say(editor.input, selected(0, 'no'));
    say(editor.input, { method: 'after' });
    await whenTrue(() => agent.heard().includes('after'));
    expect(agent.messages().filter(({ id, method }) => id === 0 && method === undefined)).toHaveLength(1);
    await close();
  });

  test('that the editor answers first is answered in Beckon with its answer', async () => {
    const { editor, agent, close } = start();
    for (const [id, optionId, decision] of [
      [0, 'yes', 'allow'],
      [1, 'no', 'deny'],
    ] as const) {
      say(agent.output, permission(id));
      const asked = await pending();
      say(editor.input, selected(id, optionId));
      expect(await beckon.wait(asked.id)).toMatchObject({ status: 'answered', answer: { decision } });
      expect(agent.messages().at(-1)).toEqual(selected(id, optionId));
    }
    await close();
  });

  test.each([
    ['the editor cancels it', { id: 0, result: { outcome: { outcome: 'cancelled' } } }, 'Ended in the editor'],
    ['the editor fails', { id: 0, error: { code: -1, message: 'no' } }, 'Ended in the editor'],
    [
      'the turn is cancelled',
      { method: 'session/cancel', params: { sessionId: 's' } },
      'The turn was cancelled in the editor',
    ],
  ])('ends in Beckon when %s', async (_, message, reason) => {
    const { editor, agent, close } = start();
    say(agent.output, permission(0));
    const asked = await pending();
    say(editor.input, message);
    expect(await beckon.wait(asked.id)).toMatchObject({ status: 'superseded', reason });
    expect(agent.messages()).toEqual([{ jsonrpc: '2.0', ...message }]);
    await close();
  });

  test('ends in Beckon when the agent takes it back, uses its id twice, or is gone with its editor', async () => {
    const { editor, agent, close } = start();
    say(agent.output, permission(0));
    const first = await pending();
    say(agent.output, { method: '$/cancel_request', params: { requestId: 0 } });
    expect((await beckon.wait(first.id)).status).toBe('superseded');
    say(agent.output, permission(1));
    const second = await pending();
    say(agent.output, permission(1, { command: 'rm -rf /' }));
    expect((await beckon.wait(second.id)).status).toBe('superseded');
    say(agent.output, permission(2));
    const third = await pending();
    editor.input.end();
    expect(await beckon.wait(third.id)).toMatchObject({ status: 'superseded', reason: 'The editor has gone' });
    await close();
  });

  test('never gets the answer to an earlier one of the same id', async () => {
    const { editor, agent, close } = start();
    say(agent.output, permission(0));
    await beckon.answer((await pending()).id, { decision: 'deny' }, BY);
    await whenTrue(() => agent.messages().length === 1);
    say(agent.output, permission(0, { command: 'make other' }));
    const asked = await pending();
    const renamed = editor.messages().at(-1)?.['id'];
    expect(renamed).not.toBe(0);
    say(editor.input, selected(0, 'yes'));
    say(editor.input, { method: 'after' });
    await whenTrue(() => agent.heard().includes('after'));
    expect(agent.messages()).toEqual([selected(0, 'no'), { jsonrpc: '2.0', method: 'after' }]);
    say(editor.input, selected(renamed, 'yes'));
    await whenTrue(() => agent.messages().length === 3);
    expect(agent.messages().at(-1)).toEqual(selected(0, 'yes'));
    expect((await beckon.wait(asked.id)).status).toBe('answered');
    await close();
  });

  test('whose file has changed meanwhile is left to the editor', async () => {
    const { editor, agent, close } = start();
    const file = join(folder, 'a.txt');
    writeFileSync(file, 'one\n');
    say(editor.input, { id: 1, method: 'session/load', params: { sessionId: 's', cwd: folder } });
    await whenTrue(() => agent.heard() !== '');
    const content = [{ type: 'diff', path: file, oldText: 'one\n', newText: 'two\n' }];
    say(agent.output, permission(0, { toolCall: { kind: 'edit', content, rawInput: {} } }));
    const asked = await pending();
    expect(asked.request).toMatchObject({ tool: 'Edit', input: { file_path: file, old_string: 'one\n' } });
    writeFileSync(file, 'other\n');
    await beckon.answer(asked.id, { decision: 'allow' }, BY);
    await whenNoted('interaction.withheld');
    say(editor.input, selected(0, 'no'));
    await whenTrue(() => agent.messages().length === 2);
    expect(agent.messages().at(-1)).toEqual(selected(0, 'no'));
    await close();
  });

  test('stays with the editor when nobody answers in time, or Beckon is not there', async () => {
    const troubles: string[] = [];
    const { editor, agent, close } = start({ timeout: 0.05 });
    say(agent.output, permission(0));
    expect((await beckon.wait((await pending()).id)).status).toBe('expired');
    say(editor.input, selected(0, 'yes'));
    await whenTrue(() => agent.messages().length === 1);
    await close();
    const connect = () => Promise.reject(new Error('Beckon is not running.'));
    const alone = start({ connect, onTrouble: (why) => troubles.push(why) });
    say(alone.agent.output, permission(0));
    await whenTrue(() => troubles.length === 1);
    say(alone.editor.input, selected(0, 'yes'));
    await whenTrue(() => alone.agent.messages().length === 1);
    expect(alone.editor.messages()).toEqual([permission(0)]);
    await alone.close();
  });
});

type Proxied = ConstructorParameters<typeof AcpProxy>[0];
type Heard = Record<string, unknown>;

function start(options: Partial<Proxied> = {}) {
  const [editorInput, editorOutput, agentInput, agentOutput] = Array.from({ length: 4 }, () => new PassThrough()) as [
    PassThrough,
    PassThrough,
    PassThrough,
    PassThrough,
  ];
  const proxy = new AcpProxy({
    editor: { input: editorInput, output: editorOutput },
    agent: { input: agentInput, output: agentOutput },
    connect: () => Promise.resolve(beckon),
    onTrouble: (why) => {
      throw new Error(why);
    },
    ...options,
  });
  const running = proxy.run();
  const ended = new Promise((resolve) => agentInput.once('end', resolve));
  return {
    editor: { input: editorInput, ...listen(editorOutput) },
    agent: { output: agentOutput, ...listen(agentInput) },
    async close() {
      editorInput.end();
      agentOutput.end();
      await Promise.all([running, ended]);
      await proxy.end('The test is over');
    },
  };
}

function listen(stream: PassThrough) {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const heard = (): string => Buffer.concat(chunks).toString();
  const messages = (): Heard[] =>
    heard()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  return { heard, messages };
}

function say(stream: PassThrough, message: object): void {
  stream.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function write(stream: PassThrough, text: string, size: number): void {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += size) stream.write(bytes.subarray(from, from + size));
}

function permission(id: unknown, { sessionId = 's', command = 'make all', toolCall = {} } = {}) {
  const call = {
    toolCallId: 'call',
    title: command,
    kind: 'execute',
    rawInput: { command },
    name: 'Bash',
    ...toolCall,
  };
  const named = 'kind' in toolCall ? { ...call, name: undefined } : call;
  const params = { sessionId, toolCall: named, options: OPTIONS };
  return JSON.parse(JSON.stringify({ jsonrpc: '2.0', id, method: 'session/request_permission', params }));
}

function selected(id: unknown, optionId: string) {
  return { jsonrpc: '2.0', id, result: { outcome: { outcome: 'selected', optionId } } };
}

function pending(): Promise<Interaction> {
  return findPending(beckon);
}

function whenTrue(check: () => boolean | Promise<boolean>): Promise<unknown> {
  return vi.waitUntil(check, { timeout: TEST_TIMEOUT_MS / 2, interval: 5 });
}

async function whenNoted(type: string): Promise<void> {
  for await (const event of beckon.events({ after: 0 })) if (event.type === type) return;
}
