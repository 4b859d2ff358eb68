import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LIMITS } from '../protocol/limits.ts';
import { createTemporaryFolder } from '../testing/harness/temporary-folder.ts';
import { gatherContext } from './gather-context.ts';

let folder: string;
let transcript: string;
let clock: number;
beforeEach(() => {
  folder = createTemporaryFolder('beckon-context-');
  transcript = join(folder, 'session.jsonl');
  clock = Date.parse('2026-11-16T18:00:00.000Z');
});
afterEach(() => rmSync(folder, { recursive: true }));

const EDIT = { tool_name: 'Edit', tool_input: { file_path: 'a.ts', old_string: 'one', new_string: 'two' } };

describe('what surrounds a hook', () => {
  test('is the conversation, with its first prompt as title, and the calls before', () => {
    write([
      { type: 'queue-operation', content: 'noise' },
      prompt('Convert the cart\nto the currency of the customer'),
      agent({ type: 'thinking', thinking: 'hmm' }, { type: 'text', text: 'I look first.' }),
      call('1', 'Read', { file_path: '/shop/a.ts' }),
      result('1', 'one\ntwo', { permissionDecision: { source: 'config' } }),
      prompt('And now the tests'),
      agent({ type: 'text', text: 'Now I change it.' }),
      call('2', 'Bash', { command: 'npm   test\n-- --run', description: 'Test' }),
      result(
        '2',
        [{ type: 'text', text: 'Exit code 1' }, { type: 'image' }],
        { permissionDecision: { source: 'user' } },
        true,
      ),
      call('3', 'WebFetch', { url: 'https://example.com', prompt: 'read' }),
      result('3', 'No', { toolDenialKind: 'permission-rule' }, true),
      call('4', 'Agent', { description: 'Look around' }),
      call('5', 'Edit', { old_string: 'one', new_string: 'two', file_path: 'a.ts' }),
    ]);
    const { context } = gather(EDIT);
    expect(context).toMatchObject({
      project: basename(folder),
      folder,
      machine: hostname(),
      agent: 'Claude Code',
      title: 'Convert the cart to the currency of the customer',
      prompt: 'And now the tests',
      message: 'Now I change it.',
    });
    expect(context?.calls).toEqual([
      { tool: 'Read', about: '/shop/a.ts', outcome: 'ok', ms: 1000 },
      { tool: 'Bash', about: 'npm test -- --run', outcome: 'failed' },
      { tool: 'WebFetch', about: 'https://example.com', outcome: 'denied' },
      { tool: 'Agent', about: 'Look around', outcome: 'running' },
    ]);
    expect(context?.conversation?.map(({ by, text }) => [by, text])).toEqual([
      ['person', 'Convert the cart\nto the currency of the customer'],
      ['agent', 'I look first.'],
      ['tool', 'Read: /shop/a.ts\none\ntwo'],
      ['person', 'And now the tests'],
      ['agent', 'Now I change it.'],
      ['tool', 'Bash: npm test -- --run\nExit code 1'],
      ['tool', 'WebFetch: https://example.com\nNo'],
      ['tool', 'Agent: Look around'],
    ]);
    expect(context?.conversation?.[0]?.at).toBe('2026-11-16T18:00:01.000Z');
  });

  test('counts the time of a call from when it was allowed, or as the tool says', () => {
    write([
      prompt('Go'),
      call('1', 'Bash', { command: 'make' }),
      { type: 'attachment', attachment: { type: 'hook_permission_decision', toolUseID: '1' }, timestamp: at(60) },
      result('1', 'ok', { permissionDecision: { source: 'hook' } }),
      call('2', 'Glob', { pattern: '*' }),
      result('2', 'ok', { toolUseResult: { durationMs: 12.4 } }),
    ]);
    expect(gather({}).context?.calls?.map(({ ms }) => ms)).toEqual([1000, 12]);
  });

  test('does not take the words of Claude Code for the person’s', () => {
    write([
      { ...prompt('Caveat: these messages were made by the machine'), isMeta: true },
      prompt('<local-command-stdout>bye</local-command-stdout>'),
      prompt('<command-message>fix</command-message><command-name>/fix</command-name><command-args>#7</command-args>'),
      { ...prompt('I am an agent inside'), isSidechain: true },
      { ...prompt('This session is continued from another'), isCompactSummary: true },
      { ...agent({ type: 'text', text: 'Inside' }), isSidechain: true },
      prompt('[Request interrupted by user]'),
    ]);
    expect(gather({}).context).toMatchObject({
      title: '/fix #7',
      prompt: '/fix #7',
      conversation: [{ text: '/fix #7' }],
    });
  });

  test('is that of the agent inside, for its calls, with the title and the prompt of the session', () => {
    write([prompt('Convert the cart'), agent({ type: 'text', text: 'I send somebody.' })]);
    mkdirSync(join(folder, 'session', 'subagents'), { recursive: true });
    const lines = [
      prompt('Look around'),
      agent({ type: 'text', text: 'I look.' }),
      call('1', 'Bash', { command: 'ls' }),
    ];
    writeFileSync(
      join(folder, 'session', 'subagents', 'agent-a1.jsonl'),
      lines.map((line) => `${JSON.stringify({ isSidechain: true, ...line })}\n`).join(''),
    );
    const { context } = gather({ agent_id: 'a1' });
    expect(context).toMatchObject({ title: 'Convert the cart', prompt: 'Convert the cart', message: 'I look.' });
    expect(context?.calls).toEqual([{ tool: 'Bash', about: 'ls', outcome: 'running' }]);
    expect(context?.conversation?.map(({ by, text }) => [by, text])).toEqual([
      ['agent', 'Look around'],
      ['agent', 'I look.'],
      ['tool', 'Bash: ls'],
    ]);
    for (const id of ['gone', '../../session', 7]) {
      expect(gather({ agent_id: id }).context).toMatchObject({ message: 'I send somebody.' });
    }
  });

  test('has the name that the person gave the session, if any', () => {
    write([prompt('Go'), { type: 'custom-title', customTitle: 'The big move' }]);
    expect(gather({}).context?.title).toBe('The big move');
  });

  test('is masked, even where a text is cut', () => {
    const secret = `gh${'p_'}${'a1B2'.repeat(9)}`;
    write([
      prompt(`Use ${secret}`),
      agent({ type: 'text', text: `${'x'.repeat(7990)} ${secret}` }),
      call('1', 'Bash', { command: `curl -H "Authorization: Bearer ${secret}" https://example.com` }),
    ]);
    writeFileSync(join(folder, 'a.ts'), `export const token = '${secret}';\n`);
    const { context } = gather(EDIT);
    expect(JSON.stringify(context)).not.toContain(secret.slice(0, 12));
    expect(context?.title).toBe('Use ghp_…(masked)');
    expect(context?.files?.[0]?.before?.[0]?.text).toContain('ghp_…(masked)');
  });

  test('fits, however long the conversation is: files come first, then the newest words', () => {
    const lines = Array.from({ length: 3000 }, (_, index) =>
      agent({ type: 'text', text: `${index} ${'ä"\n'.repeat(200)}` }),
    );
    write([prompt('Go'), ...lines]);
    writeFileSync(join(folder, 'a.ts'), 'one\n'.repeat(3000));
    const { context } = gather(EDIT);
    const size = Buffer.byteLength(JSON.stringify(context));
    expect(size).toBeLessThanOrEqual(LIMITS.contextBytes);
    expect(size).toBeGreaterThan(LIMITS.contextBytes / 2);
    expect(context?.files?.[0]?.before?.length).toBeGreaterThan(0);
    expect(context?.conversation?.at(-1)?.text).toMatch(/^2999 /);
  });
});

test('beside large files the words are shorter', () => {
  write([prompt('語'.repeat(9000)), agent({ type: 'text', text: '話'.repeat(9000) })]);
  writeFileSync(join(folder, 'a.ts'), 'one\n'.repeat(4000));
  const { context } = gather(EDIT);
  expect(Buffer.byteLength(JSON.stringify(context))).toBeLessThanOrEqual(LIMITS.contextBytes);
  expect(context?.message).toHaveLength(1000);
  expect(context?.files?.[0]?.before?.length).toBeGreaterThan(0);
});

describe('settings', () => {
  beforeEach(() => {
    write([
      prompt('Convert the cart'),
      agent({ type: 'text', text: 'm'.repeat(600) }),
      call('1', 'Bash', { command: 'ls' }),
    ]);
    writeFileSync(join(folder, 'a.ts'), 'one\n');
  });

  test('a summary has no conversation and no contents, but the hashes', () => {
    const { context, seen } = gather(EDIT, 'summary');
    expect(Object.keys(context ?? {}).toSorted()).toEqual(
      ['agent', 'files', 'folder', 'machine', 'message', 'project', 'root', 'title'].toSorted(),
    );
    expect(context?.message).toHaveLength(500);
    expect(Object.keys(context?.files?.[0] ?? {})).toEqual(['path', 'sha256', 'lines']);
    expect(seen).toHaveLength(1);
  });

  test('off sends nothing, and the files are still watched', () => {
    expect(gather(EDIT, 'off')).toEqual({ seen: [expect.objectContaining({ path: join(folder, 'a.ts') })] });
  });
});

describe('a transcript that cannot be read changes nothing', () => {
  const rest = { agent: 'Claude Code', machine: hostname() };

  test.each<[string, () => void]>([
    ['missing', () => undefined],
    ['empty', () => writeFileSync(transcript, '')],
    ['a folder', () => mkdirSync(transcript)],
    ['a pipe that nobody writes to', () => execFileSync('mkfifo', [transcript])],
    ['not JSON', () => writeFileSync(transcript, 'a\n{"type":"user"\n\n"type":"user"\n')],
    ['other JSON', () => writeFileSync(transcript, '"type":"user"\n[{"type":"user"}]\n{"type":"user","message":7}\n')],
    [
      'of wrong types',
      () => write(['user', 'assistant'].map((type) => ({ type, message: { content: [null, 7, { type: 'text' }] } }))),
    ],
    ['one line of 5 MB', () => write([prompt('x'.repeat(5_000_000))])],
  ])('%s', (_, make) => {
    make();
    const place = { project: basename(folder), folder, root: folder };
    expect(gather(EDIT).context).toEqual({ ...rest, ...place, files: expect.any(Array) });
  });

  test('not readable', () => {
    write([prompt('Go')]);
    chmodSync(transcript, 0);
    // The administrator can read everything.
    const isAdministrator = process.getuid?.() === 0;
    expect(gather({}).context?.title).toBe(isAdministrator ? 'Go' : undefined);
  });

  test('without a path, a folder, or with wrong ones', () => {
    for (const fields of [{ transcript_path: undefined }, { transcript_path: 7 }, { cwd: 7 }, { cwd: 'relative' }]) {
      expect(gather({ ...EDIT, ...fields }).context).toMatchObject(rest);
    }
  });
});

describe('a transcript that is too long to be read', () => {
  test('is read at both ends only, while it grows, with a line that is not finished', () => {
    write([prompt('Convert the cart')]);
    // A hole, which takes no room on the disk, but more than the memory if it is read.
    truncateSync(transcript, 50_000_000_000);
    appendFileSync(transcript, '\n');
    append([{ type: 'last-prompt', lastPrompt: 'And now the tests' }, agent({ type: 'text', text: 'Almost done.' })]);
    appendFileSync(transcript, '{"type":"assistant","message":{"content":[{"type":"te');
    expect(gather({}).context).toMatchObject({
      title: 'Convert the cart',
      prompt: 'And now the tests',
      message: 'Almost done.',
    });
  });

  test('with long lines at its end still has the title', () => {
    write([prompt('Convert the cart'), prompt('y'.repeat(5_000_000))]);
    expect(gather({}).context).toMatchObject({ title: 'Convert the cart' });
  });
});

function gather(hook: Record<string, unknown>, level: 'full' | 'summary' | 'off' = 'full') {
  return gatherContext(
    { cwd: folder, transcript_path: transcript, ...hook },
    { level, agent: 'Claude Code', told: 'transcript' },
  );
}

function write(lines: readonly object[]): void {
  writeFileSync(transcript, '');
  append(lines);
}

function append(lines: readonly object[]): void {
  appendFileSync(transcript, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** A second later than the line before. */
function at(seconds = 1): string {
  clock += seconds * 1000;
  return new Date(clock).toISOString();
}

function prompt(content: string) {
  return { type: 'user', message: { role: 'user', content }, timestamp: at() };
}

function agent(...content: object[]) {
  return { type: 'assistant', message: { role: 'assistant', content }, timestamp: at() };
}

function call(id: string, name: string, input: object) {
  return agent({ type: 'tool_use', id, name, input });
}

function result(id: string, content: unknown, more: object = {}, isError = false) {
  const block = { type: 'tool_result', tool_use_id: id, content, ...(isError && { is_error: true }) };
  return { type: 'user', message: { role: 'user', content: [block] }, timestamp: at(), ...more };
}
