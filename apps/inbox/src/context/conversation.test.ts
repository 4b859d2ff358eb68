import type { ConversationEntry } from 'beckon/protocol';
import { expect, test } from 'vitest';
import { mergeConversation } from './conversation.ts';

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString();
const kept = (seq: number, type: ConversationEntry['type'], text: string): ConversationEntry => ({
  seq,
  type,
  text,
  at: at(seq),
});

test('what the agent sent stands for its time, and Beckon’s own entries stay', () => {
  const known = [
    kept(1, 'person', 'Begin'),
    kept(2, 'call', 'npm test'),
    kept(4, 'person', 'Go on'),
    kept(5, 'request', 'Push'),
    kept(9, 'agent', 'Done'),
  ];
  const sent = [
    { by: 'person' as const, text: 'Go on', at: at(4) },
    { by: 'agent' as const, text: 'I push', at: at(6) },
  ];
  expect(mergeConversation(sent, known).map(({ by, text }) => `${by}: ${text}`)).toEqual([
    'person: Begin',
    'call: npm test',
    'person: Go on',
    'request: Push',
    'agent: I push',
    'agent: Done',
  ]);
});

test('without times the agent’s entries stand alone, and without any Beckon’s do', () => {
  expect(mergeConversation([{ by: 'agent', text: 'Hi' }], [kept(1, 'person', 'Begin')])).toMatchObject([
    { text: 'Hi' },
  ]);
  expect(mergeConversation([], [{ ...kept(1, 'call', 'npm t'), cut: true, outcome: 'ok', tool: 'Bash' }])).toEqual([
    { key: 'k1', by: 'call', at: at(1), text: 'npm t…', tool: 'Bash', outcome: 'ok' },
  ]);
});

test('an entry whose time is no time does not break the order', () => {
  const sent = [
    { by: 'agent' as const, text: 'one', at: 'yesterday' },
    { by: 'agent' as const, text: 'two', at: at(1) },
  ];
  expect(mergeConversation(sent, []).map(({ text }) => text)).toEqual(['one', 'two']);
});
