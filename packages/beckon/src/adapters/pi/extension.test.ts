import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Beckon } from '../../core/beckon.ts';
import { openBeckon } from '../../open-beckon.ts';
import type { AnswerInput } from '../../protocol/answers.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { newId } from '../../runtime/new-id.ts';
import { until } from '../../testing/suites/until.ts';
import { readEvents } from '../../testing/suites/use-beckons.ts';
import { runPiExtension } from './extension.ts';
import type { Pi, PiContext, PiTool, PiVerdict } from './pi-types.ts';

let folder: string;
let beckon: Beckon;
let pi: FakePi;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'beckon-pi-'));
  beckon = await openBeckon({ store: `sqlite:${join(folder, 'beckon.db')}` });
  pi = new FakePi(beckon);
});
afterEach(async () => {
  await beckon.close();
  rmSync(folder, { recursive: true });
});

test('a call waits in Beckon with what surrounds it, and runs once it is allowed', async () => {
  pi.emit('before_agent_start', { prompt: 'Make a marker' });
  pi.emit('message_end', { message: { role: 'assistant', content: [{ type: 'text', text: 'I will' }] } });
  const verdict = pi.call('bash', { command: 'touch marker.txt', timeout: 5 });
  const asked = await findAsked('approval');
  expect(asked).toMatchObject({
    sessionId: 'session-1',
    metadata: { agent: 'pi', cwd: folder, toolUseId: 'call_1' },
    request: {
      tool: 'Bash',
      input: { command: 'touch marker.txt', timeout: 5 },
      abilities: { denyText: true, editInput: true, remember: false },
    },
  });
  expect(await beckon.context(asked.id)).toMatchObject({ agent: 'pi', prompt: 'Make a marker', message: 'I will' });
  await answer(asked, { decision: 'allow' });
  expect(await verdict).toBeUndefined();
});

test.each<[AnswerInput, string]>([
  [{ decision: 'deny' }, 'ana denied Bash.'],
  [{ decision: 'deny', message: 'Not on a Monday' }, 'Not on a Monday'],
])('%j blocks the call with a reason', async (given, reason) => {
  const verdict = pi.call('bash', { command: 'ls' });
  await answer(await findAsked('approval'), given);
  expect(await verdict).toEqual({ block: true, reason });
});

test.each([
  ['bash', { command: 'ls' }, { command: 'ls -l' }, { command: 'ls -l' }],
  ['write', { path: 'a', content: 'x' }, { file_path: 'b', content: 'y' }, { path: 'b', content: 'y' }],
  [
    'edit',
    { path: 'a', edits: [{ oldText: 'x', newText: 'y' }] },
    { file_path: 'a', edits: [{ old_string: 'x', new_string: 'z' }] },
    { path: 'a', edits: [{ oldText: 'x', newText: 'z' }] },
  ],
])('%s runs with the input that the person changed', async (tool, input, updatedInput, expected) => {
  const given = { ...input };
  const verdict = pi.call(tool, given);
  await answer(await findAsked('approval'), { decision: 'allow', updatedInput });
  expect(await verdict).toBeUndefined();
  expect(given).toEqual(expected);
});

test('a changed input that does not fit its tool does not run', async () => {
  const given = { path: 'a', content: 'x' };
  const verdict = pi.call('write', given);
  await answer(await findAsked('approval'), { decision: 'allow', updatedInput: { file_path: 7 } });
  expect(await verdict).toMatchObject({ block: true, reason: expect.stringContaining('does not fit write') });
  expect(given).toEqual({ path: 'a', content: 'x' });
});

test('a call whose file has changed meanwhile does not run, and that is noted', async () => {
  const path = join(folder, 'a.txt');
  writeFileSync(path, 'old\n');
  const verdict = pi.call('write', { path, content: 'new\n' });
  const asked = await findAsked('approval');
  writeFileSync(path, 'other\n');
  await answer(asked, { decision: 'allow' });
  expect(await verdict).toMatchObject({ block: true, reason: expect.stringContaining('has changed') });
  await readEvents(beckon, ({ type }) => type === 'interaction.withheld');
});

test.each([
  ['Allow', undefined, 'Allowed in pi’s terminal'],
  ['Deny', { block: true, reason: 'The person denied bash.' }, 'Denied in pi’s terminal'],
  [undefined, { block: true, reason: expect.stringContaining('dialog was left') }, 'pi’s dialog was left'],
])('%s in the terminal counts, and ends the request', async (choice, expected, reason) => {
  pi.openTerminal();
  const verdict = pi.call('bash', { command: 'ls' });
  const asked = await findAsked('approval');
  pi.choose(choice);
  expect(await verdict).toEqual(expected);
  expect(await beckon.wait(asked.id)).toMatchObject({ status: 'superseded', reason });
});

test('an answer from Beckon closes the dialog of the terminal', async () => {
  pi.openTerminal();
  const verdict = pi.call('bash', { command: 'ls' });
  await answer(await findAsked('approval'), { decision: 'allow' });
  expect(await verdict).toBeUndefined();
  expect(pi.closed).toBe(1);
});

test('without Beckon the terminal decides, and without a terminal nothing runs', async () => {
  const alone = new FakePi(null);
  expect(await alone.call('bash', { command: 'ls' })).toEqual({
    block: true,
    reason: 'Nobody allowed bash: Beckon cannot be reached.',
  });
  alone.openTerminal();
  const verdict = alone.call('bash', { command: 'ls' });
  alone.choose('Allow');
  expect(await verdict).toBeUndefined();
});

test('a request that is cancelled lets nothing run', async () => {
  const verdict = pi.call('bash', { command: 'ls' });
  const { id } = await findAsked('approval');
  await beckon.cancel({ id });
  expect(await verdict).toEqual({ block: true, reason: 'Nobody allowed bash: the request was cancelled.' });
});

test('interrupting pi, and its end, end what is open', async () => {
  const interrupted = pi.call('bash', { command: 'ls' });
  const first = await findAsked('approval');
  pi.interrupt();
  expect(await interrupted).toMatchObject({ block: true });
  expect((await beckon.wait(first.id)).reason).toBe('The turn was interrupted in pi');
  const other = new FakePi(beckon);
  const left = other.call('bash', { command: 'pwd' });
  const second = await findAsked('approval');
  await other.emit('session_shutdown', {});
  expect(await beckon.wait(second.id)).toMatchObject({ status: 'superseded', reason: 'pi ended' });
  expect(await left).toMatchObject({ block: true });
});

test('only the chosen tools are asked about, and odd inputs are shown as they are', async () => {
  expect(await pi.call('read', { path: 'a' })).toBeUndefined();
  const verdict = pi.call('edit', { path: 'a', edits: 'none' });
  const asked = await findAsked('approval');
  expect(asked.request).toMatchObject({ tool: 'edit', input: { path: 'a', edits: 'none' } });
  await answer(asked, { decision: 'deny' });
  expect(await verdict).toMatchObject({ block: true });
});

test('a call that is too large for Beckon does not run unasked', async () => {
  expect(await pi.call('bash', { command: 'x'.repeat(2_000_000) })).toMatchObject({ block: true });
});

test('ask_person asks in Beckon and in the terminal', async () => {
  const question = { question: 'Which database?', options: [{ label: 'SQLite' }, { label: 'Postgres' }] };
  const outside = pi.ask(question);
  await answer(await findAsked('question'), { selected: ['Postgres'], notes: 'the small one' });
  expect(await outside).toBe('The person answered: Postgres\n\nNotes: the small one');
  pi.openTerminal();
  const inside = pi.ask({ ...question, question: 'Which now?' });
  const asked = await findAsked('question');
  pi.choose('SQLite');
  expect(await inside).toBe('The person answered: SQLite');
  expect((await beckon.wait(asked.id)).reason).toBe('Answered in pi’s terminal: SQLite');
  await expect(new FakePi(null).ask(question)).rejects.toThrow('Beckon cannot be reached');
});

/** pi, as far as an extension sees it. */
class FakePi {
  closed = 0;
  readonly #handlers = new Map<string, (event: never, context: PiContext) => unknown>();
  readonly #abort = new AbortController();
  #tool: PiTool | undefined;
  #hasUI = false;
  #calls = 0;
  #choose: (choice: string | undefined) => void = () => undefined;

  constructor(reached: Beckon | null) {
    const api = {
      on: (name: string, handler: (event: never, context: PiContext) => unknown) => this.#handlers.set(name, handler),
      registerTool: (tool: PiTool) => {
        this.#tool = tool;
      },
    };
    const asksAbout = (tool: string): boolean => ['bash', 'write', 'edit'].includes(tool);
    runPiExtension({ open: () => reached, keep: () => () => undefined, newId }, api as unknown as Pi, { asksAbout });
  }

  emit(name: string, event: object): unknown {
    return this.#handlers.get(name)?.(event as never, this.#context);
  }

  call(toolName: string, input: object): Promise<PiVerdict> {
    this.#calls += 1;
    return this.emit('tool_call', { toolName, toolCallId: `call_${this.#calls}`, input }) as Promise<PiVerdict>;
  }

  async ask(params: object): Promise<string | undefined> {
    this.#calls += 1;
    const id = `call_${this.#calls}`;
    return (await this.#tool?.execute(id, params, undefined, undefined, this.#context))?.content[0]?.text;
  }

  openTerminal(): void {
    this.#hasUI = true;
  }

  choose(choice: string | undefined): void {
    this.#choose(choice);
  }

  interrupt(): void {
    this.#abort.abort();
  }

  get #context(): PiContext {
    const dialog = (_title: string, _more: unknown, { signal }: { signal?: AbortSignal } = {}) =>
      new Promise<string | undefined>((resolve) => {
        this.#choose = resolve;
        signal?.addEventListener('abort', () => {
          this.closed += 1;
          resolve(undefined);
        });
      });
    return {
      hasUI: this.#hasUI,
      cwd: folder,
      ui: { select: dialog, input: dialog },
      sessionManager: { getSessionId: () => 'session-1' },
      signal: this.#abort.signal,
    };
  }
}

function findAsked<Kind extends Interaction['kind']>(kind: Kind): Promise<Extract<Interaction, { kind: Kind }>> {
  return until(async () => {
    const { items } = await beckon.list({ status: 'pending', kind });
    expect(items).toHaveLength(1);
    return items[0] as Extract<Interaction, { kind: Kind }>;
  });
}

async function answer({ id }: Interaction, given: AnswerInput): Promise<void> {
  expect((await beckon.answer(id, given, { who: 'ana', via: 'test' })).result).toBe('accepted');
}
