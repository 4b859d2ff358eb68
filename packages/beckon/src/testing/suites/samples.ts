import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { HookRecord } from '../../core/hooks.ts';
import type { DestinationRecord } from '../../core/notify.ts';
import type { AnsweredBy, AskInput, InteractionOf, Kind } from '../../protocol/interaction.ts';
import type { Rule } from '../../protocol/rule.ts';

/** The instant at which the interactions below were asked. */
export const ASKED_AT = '2026-01-01T00:00:00.000Z';

/** People who answer in the suites. */
export const ADA: AnsweredBy = { who: 'ada', via: 'inbox', kind: 'person' };
export const BOB: AnsweredBy = { who: 'bob', via: 'telegram', kind: 'person' };

/** An instant some milliseconds after `ASKED_AT`. */
export function after(ms: number): string {
  return new Date(Date.parse(ASKED_AT) + ms).toISOString();
}

/** A pending question as the runtime hands it to a store, with an id of its own. */
export function createQuestion(changes: Partial<InteractionOf<'question'>> = {}): InteractionOf<'question'> {
  return {
    id: `int_${randomUUID()}`,
    chatId: 'default',
    kind: 'question',
    request: { question: 'Which database?', options: [{ label: 'SQLite' }, { label: 'Postgres' }] },
    status: 'pending',
    awaitingFeedback: false,
    createdAt: ASKED_AT,
    ...changes,
  };
}

/** A pending approval of a command as the runtime hands it to a store, with an id of its own. */
export function createApproval(
  command: string,
  changes: Partial<InteractionOf<'approval'>> = {},
): InteractionOf<'approval'> {
  return {
    id: `int_${randomUUID()}`,
    chatId: 'default',
    kind: 'approval',
    request: { tool: 'Bash', input: { command } },
    status: 'pending',
    awaitingFeedback: false,
    createdAt: ASKED_AT,
    ...changes,
  };
}

/** A rule of ada's that allows `npm test`, with an id of its own; `changes` go over its fields. */
export function createRule(changes: Partial<Rule> = {}): Rule {
  return {
    id: `rul_${randomUUID()}`,
    effect: 'allow',
    tool: 'Bash',
    match: { commands: [{ words: ['npm', 'test'], rest: 'any' }] },
    scope: {},
    mode: 'on',
    examples: { match: [], notMatch: [] },
    createdBy: 'ada',
    createdAt: ASKED_AT,
    ...changes,
  };
}

/** A proven destination of ada's, with an id of its own; `changes` go over its fields. */
export function createDestination(changes: Partial<DestinationRecord> = {}): DestinationRecord {
  return {
    id: `dst_${randomUUID()}`,
    kind: 'ntfy',
    owner: 'ada',
    label: 'phone',
    target: 'ntfy.example',
    when: { after: 0, evenInSight: false },
    filter: {},
    content: 'link',
    isOn: true,
    createdAt: ASKED_AT,
    provenAt: ASKED_AT,
    secret: { topic: 'a secret' },
    ...changes,
  };
}

/** A hook as the bridge hands it to a store, with an id of its own. */
export function createHook(changes: Partial<HookRecord> = {}): HookRecord {
  return {
    id: `hook_${randomUUID()}`,
    sessionId: 'ses_1',
    commandId: 'int_1',
    eventType: 'Stop',
    at: ASKED_AT,
    data: '{"hook_event_name":"Stop"}',
    ...changes,
  };
}

/** What an agent says when it asks, one of each kind. */
export const ASKS = {
  question: {
    kind: 'question',
    request: { question: 'Which database?', options: [{ label: 'SQLite' }, { label: 'Postgres' }] },
  },
  plan_review: { kind: 'plan_review', request: { plan: '# Plan\n\n1. Write it down.', toolInput: { plan: '…' } } },
  approval: { kind: 'approval', request: { tool: 'Bash', input: { command: 'ls' } } },
  form: {
    kind: 'form',
    request: {
      message: 'Who are you?',
      schema: {
        type: 'object',
        properties: { name: { type: 'string' }, tags: { type: 'array', items: { type: 'string', maxLength: 3 } } },
        required: ['name'],
      },
    },
  },
  component: { kind: 'component', request: { components: [{ type: 'card', title: 'Sales' }] } },
} as const satisfies Record<Kind, unknown>;

/** A question to ask; `changes` go over its fields. */
export function ask(changes: Partial<Extract<AskInput, { kind: 'question' }>> = {}): AskInput {
  return { ...structuredClone(ASKS.question), ...changes } as AskInput;
}

/** That somebody answered, as Beckon knows it in process, or over HTTP with the place as a claim. */
export function answeredBy({ who, via, kind }: AnsweredBy): unknown {
  const isTheirs = (by: AnsweredBy): boolean => by.who === who && by.kind === kind && (by.claim?.via ?? by.via) === via;
  return expect.toSatisfy(isTheirs, `answered by ${who} via ${via}`);
}
