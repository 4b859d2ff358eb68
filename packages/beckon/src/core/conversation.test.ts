import { describe, expect, test } from 'vitest';
import type { Interaction } from '../protocol/interaction.ts';
import type { JsonObject } from '../protocol/json.ts';
import { fromHook, fromRequest, type Moment, toEntries } from './conversation.ts';

const at = '2026-01-01T00:00:00.000Z';
const read = (eventType: string, data: unknown, seq = 1): Moment | null =>
  fromHook({ seq, at, eventType, data: JSON.stringify(data) });

describe('a hook', () => {
  test.each<[string, JsonObject, object]>([
    ['UserPromptSubmit', { prompt: 'Convert the cart' }, { type: 'person', text: 'Convert the cart' }],
    ['Stop', { last_assistant_message: 'Done.' }, { type: 'agent', text: 'Done.' }],
    ['SessionStart', { source: 'resume' }, { type: 'note', text: 'The session started (resume)' }],
    ['SessionStart', {}, { type: 'note', text: 'The session started' }],
    ['SessionEnd', { reason: 'x'.repeat(41) }, { type: 'note', text: 'The session ended' }],
    [
      'PreToolUse',
      { tool_name: 'Bash', tool_input: { description: 'Test', command: 'npm test' }, tool_use_id: 't1' },
      { type: 'call', tool: 'Bash', text: 'npm test', callId: 't1' },
    ],
    [
      'PostToolUse',
      { tool_name: 'Read', tool_input: { file_path: '/a.ts' }, duration_ms: 12 },
      { type: 'call', tool: 'Read', text: '/a.ts', outcome: 'ok', ms: 12 },
    ],
    [
      'PostToolUseFailure',
      { tool_name: 'mcp__a__b', tool_input: { n: 1 }, error: 'exit 1', duration_ms: -1 },
      { type: 'call', tool: 'mcp__a__b', text: '{"n":1}', outcome: 'failed', error: 'exit 1' },
    ],
    ['PermissionDenied', { tool_name: 'Bash' }, { type: 'call', tool: 'Bash', text: '', outcome: 'denied' }],
    ['PostToolUse', { tool_name: 7, tool_input: [] }, { type: 'call', tool: '', text: '', outcome: 'ok' }],
  ])('%s with %j is an entry', (eventType, data, entry) => {
    expect(read(eventType, data)).toEqual({ seq: 1, at, ...entry });
  });

  test.each<[string, unknown]>([
    ['UserPromptSubmit', {}],
    ['UserPromptSubmit', { prompt: 7 }],
    ['Stop', {}],
    ['Notification', { message: 'Claude waits' }],
    ['toString', {}],
    ['Stop', 'nonsense'],
  ])('%s with %j adds nothing', (eventType, data) => {
    expect(read(eventType, data)).toBeNull();
  });

  test('has its secrets masked, also those beyond what is shown', () => {
    const token = `ghp_${'a1B2'.repeat(9)}`;
    expect(read('UserPromptSubmit', { prompt: `use ${token}` })?.text).not.toContain('a1B2a1B2');
    const call = read('PostToolUseFailure', { tool_input: { command: `git push ${token}` }, error: `bad ${token}` });
    expect(JSON.stringify(call)).not.toContain('a1B2a1B2');
    const across = read('Stop', { last_assistant_message: `${'x '.repeat(1995)}${token}` });
    expect(across?.text).not.toContain('a1B2a1B2');
  });

  test('is cut to a few thousand characters, not in the middle of one', () => {
    expect(read('Stop', { last_assistant_message: 'x'.repeat(4000) })).not.toHaveProperty('cut');
    const long = read('Stop', { last_assistant_message: `${'x'.repeat(3999)}😀` });
    expect(long).toMatchObject({ text: 'x'.repeat(3999), cut: true });
    expect(read('UserPromptSubmit', { prompt: ' x'.repeat(100_000) })).toMatchObject({ cut: true });
    const failed = read('PostToolUseFailure', { error: 'e'.repeat(5000) });
    expect(failed?.error).toHaveLength(500);
  });
});

test('a request says what became of it', () => {
  const interaction = {
    id: 'int_1',
    createdAt: at,
    kind: 'approval',
    status: 'answered',
    answer: { decision: 'deny' },
  } as Interaction;
  expect(fromRequest(3, interaction, 'Push to production')).toEqual({
    seq: 3,
    at,
    type: 'request',
    text: 'Push to production',
    outcome: 'denied',
    interactionId: 'int_1',
  });
});

describe('the hooks of a call', () => {
  const call = (seq: number, fields: Partial<Moment>): Moment => ({ seq, at, type: 'call', text: 'ls', ...fields });
  const begun = call(1, { callId: 't1' });
  const ended = call(4, { callId: 't1', outcome: 'ok', ms: 30 });
  const other = call(2, { outcome: 'ok' });
  const said: Moment = { seq: 3, at, type: 'agent', text: 'Done.' };
  const whole = { seq: 1, at, type: 'call', text: 'ls', outcome: 'ok', ms: 30 };

  test('are one entry, where the call began', () => {
    expect(toEntries([begun, other, said, ended], [])).toEqual([whole, other, said]);
  });

  test('are one entry even if a page ends between them', () => {
    expect(toEntries([begun], [ended])).toEqual([whole]);
    expect(toEntries([said, ended], [begun])).toEqual([said]);
  });

  test('that came alone are an entry each', () => {
    expect(toEntries([begun], [])).toEqual([{ seq: 1, at, type: 'call', text: 'ls' }]);
    expect(toEntries([ended], [])).toEqual([{ seq: 4, at, type: 'call', text: 'ls', outcome: 'ok', ms: 30 }]);
  });

  test('say how long it took, and why it failed', () => {
    const failed = call(4, { callId: 't1', outcome: 'failed', at: '2026-01-01T00:00:02.500Z', error: 'exit 1' });
    expect(toEntries([begun, failed], [])).toMatchObject([{ outcome: 'failed', ms: 2500, error: 'exit 1' }]);
    const early = call(4, { callId: 't1', outcome: 'ok', at: '2025-12-31T23:59:59.000Z' });
    expect(toEntries([begun, early], [])).toMatchObject([{ ms: 0 }]);
  });
});
