import { DECISION_NAMES } from '../presentation/names.ts';
import { describePlace, toPlace } from '../presentation/place.ts';
import { toVisible, toVisibleLine } from '../presentation/visible.ts';
import { describeAsker } from '../presentation/who.ts';
import type { Context, ContextSaid } from '../protocol/context.ts';
import { DECISIONS, type Decision } from '../protocol/decision.ts';
import type { ConversationEntry } from '../protocol/history.ts';
import type { Interaction } from '../protocol/interaction.ts';
import type { Line, Paint, Style } from './line.ts';
import { SHORT_MS, toSpan } from './span.ts';

/** How much of what surrounds a request is shown beside it; the conversation has the rest. */
const WHY_ROWS = 3;
const LAST_CALLS = 5;
const NOTE_CHARS = 200;

/** The chat of requests whose agent names none. */
const DEFAULT_CHAT = 'default';

/** How what came of a call looks. */
interface Look {
  mark: string;
  word: string;
  style: Style;
}

const UNKNOWN: Look = { mark: '-', word: '', style: 'dim' };
const OUTCOMES: Readonly<Record<string, Look>> = {
  ok: { mark: '✓', word: '', style: 'green' },
  failed: { mark: '✗', word: 'failed', style: 'red' },
  denied: { mark: '✗', word: 'denied', style: 'red' },
  running: { mark: '…', word: 'still running', style: 'yellow' },
};

const SPEAKERS: Readonly<Record<ContextSaid['by'], { name: string; style: Style }>> = {
  person: { name: 'You', style: 'cyan' },
  agent: { name: 'Agent', style: 'green' },
  tool: { name: 'Tool', style: 'dim' },
};

/** What is known besides the request. `titles` are those that people gave to sessions. */
export interface Origin {
  titles?: ReadonlyMap<string, string>;
  now?: () => number;
}

/** Where a request comes from, who asked and when. The asker is a fact, the place is what the agent says. */
export function describeOrigin(
  interaction: Interaction,
  paint: Paint,
  { titles = new Map(), now = Date.now }: Origin = {},
): Line[] {
  const { chatId, sessionId = '', createdAt, expiresAt } = interaction;
  const place = describePlace(interaction);
  const title = titles.get(sessionId) ?? toPlace(interaction).title;
  const chat = chatId === DEFAULT_CHAT ? '' : ` in ${toVisibleLine(chatId, 80, 'code')}`;
  const leftMs = expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) - now();
  const times = [
    `${toSpan(now() - Date.parse(createdAt))} ago`,
    ...(leftMs < SHORT_MS ? [`${toSpan(leftMs)} left`] : []),
  ];
  return [
    ...(place === '' ? [] : [{ text: paint(place, 'cyan') }]),
    ...(title === undefined ? [] : [{ text: `“${title}”` }]),
    { text: paint([`Asked by ${describeAsker(interaction)}${chat}`, ...times].join(', '), 'dim') },
  ];
}

/** Why the agent asks, below a blank line: its last message in up to three rows, and the calls before this one. */
export function describeReasons(
  interaction: Interaction,
  context: Context | null,
  paint: Paint,
  columns: number,
): Line[] {
  const message = toVisibleLine(context?.message ?? interaction.context?.message ?? '', WHY_ROWS * (columns - 10));
  const calls = (context?.calls ?? []).slice(-LAST_CALLS);
  const why = message === '' ? [] : [{ gutter: `${paint('Why', 'bold')}     `, text: message }];
  const before = calls.map((call, index) => ({
    gutter: index === 0 ? `${paint('Before', 'bold')}  ` : ' '.repeat(8),
    text: describeCall(call, paint),
  }));
  const left = (context?.notes ?? []).map((note) => ({
    gutter: ' '.repeat(8),
    text: paint(toVisibleLine(note, NOTE_CHARS), 'yellow'),
  }));
  const reasons = [...why, ...before, ...left];
  return reasons.length === 0 ? [] : [{ text: '' }, ...reasons];
}

/** What was said so far, the oldest first. */
export function describeConversation(said: readonly ContextSaid[], paint: Paint): Line[] {
  return said.flatMap(({ by, text }, index) => {
    const { name, style } = SPEAKERS[by];
    const lines = toVisible(text, by === 'tool' ? 'code' : 'prose').split('\n');
    const gutter = `${paint(name.padEnd(5), 'bold', style)}  `;
    return [
      ...(index === 0 ? [] : [{ text: '' }]),
      ...lines.map((line, at) => ({ gutter: at === 0 ? gutter : ' '.repeat(7), text: line })),
    ];
  });
}

/** What Beckon kept of a session, the oldest first: what was said, the calls, the requests and what became of them. */
export function describeSession(entries: readonly ConversationEntry[], paint: Paint): Line[] {
  return entries.flatMap(({ type, text, tool, outcome, ms, error }, index): Line[] => {
    const gap = index === 0 ? [] : [{ text: '' }];
    if (type === 'person' || type === 'agent') return [...gap, ...describeConversation([{ by: type, text }], paint)];
    const failure =
      error === undefined ? [] : [{ gutter: ' '.repeat(9), text: toVisibleLine(error, NOTE_CHARS, 'code') }];
    if (type === 'call')
      return [{ gutter: ' '.repeat(7), text: describeCall({ tool, about: text, outcome, ms }, paint) }, ...failure];
    const end = isDecision(outcome) && outcome !== 'pending' ? ` (${DECISION_NAMES[outcome]})` : '';
    return [{ gutter: ' '.repeat(7), text: paint(`${toVisibleLine(text, NOTE_CHARS)}${end}`, 'dim') }];
  });
}

function isDecision(outcome: ConversationEntry['outcome']): outcome is Decision {
  return DECISIONS.some((decision) => decision === outcome);
}

/** A call that was made, as the agent or a hook says. */
interface Call {
  tool?: string | undefined;
  about?: string | undefined;
  outcome?: ConversationEntry['outcome'];
  ms?: number | undefined;
}

function describeCall({ tool = '', about, outcome, ms }: Call, paint: Paint): string {
  const { mark, word, style } = OUTCOMES[outcome ?? ''] ?? UNKNOWN;
  const name = toVisibleLine(tool, 60, 'code');
  const what = about === undefined || about === '' ? name : `${name} ${toVisibleLine(about, NOTE_CHARS, 'code')}`;
  const details = [word, ms === undefined ? '' : toSpan(ms)].filter(Boolean).join(', ');
  return `${paint(mark, style)} ${what}${details === '' ? '' : paint(` (${details})`, style)}`;
}
