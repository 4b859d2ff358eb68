import { isDeepStrictEqual } from 'node:util';
import type { Answerer, Interaction, Kind, LogEvent } from '../../packages/beckon/src/index.ts';
import type { Rule } from '../../packages/beckon/src/protocol/rule.ts';
import { CHOICES, REQUESTS, type Text, toChoice } from './catalogue.ts';

/** What Beckon holds, by the specification: interactions and rules in their order, and the log from its start. */
export interface State {
  readonly interactions: readonly Interaction[];
  readonly rules: readonly Rule[];
  readonly log: readonly LogEvent[];
}

/** One call of Beckon. `at` is the time of the call. */
export type Action = { readonly at: string } & (
  | { readonly call: 'ask'; kind: Kind; chatId: string; idempotencyKey?: string; id?: string; expiresAt?: string }
  | { readonly call: 'askGroup'; asks: readonly GroupAsk[]; groupId: string }
  | { readonly call: 'answer'; id: string; choice: number; by: Answerer }
  | { readonly call: 'answerMany' | 'answerGroup'; answers: readonly Chosen[]; by: Answerer }
  | { readonly call: 'say'; chatId: string; text: Text; by: Answerer }
  | { readonly call: 'cancel'; id: string; reason?: string }
  | { readonly call: 'cancelChat'; chatId: string; reason?: string }
  | { readonly call: 'supersede'; id: string; reason?: string }
  | { readonly call: 'addRule'; rule: Rule }
  | { readonly call: 'editRule'; rule: Rule; expected: Rule }
  | { readonly call: 'removeRule'; id: string; by: string }
);

/** One ask of a group. */
interface GroupAsk {
  kind: Kind;
  chatId: string;
  idempotencyKey?: string;
}

/** One answer of several: a request, and which of its answers. */
export interface Chosen {
  id: string;
  choice: number;
}

/** What the caller heard: a value, or the code of an error. */
export type Heard = { readonly value: unknown } | { readonly code: string };

/**
 * The state after a step. `heard` is set by the last step of a call, `seen` is what a call carries from step to step.
 */
export interface After {
  readonly state: State;
  readonly heard?: Heard;
  readonly seen?: readonly string[];
}

/** The type of an event and the fields that only this type has. */
type Happened = { readonly type: string; readonly [field: string]: unknown };

export const EMPTY: State = { interactions: [], rules: [], log: [] };

/**
 * Makes one step of a call, alone with the state. Most calls are one step. Those on a chat are two: they look, then
 * act, and somebody else may act in between.
 */
export function step(state: State, action: Action, seen: readonly string[] | undefined, heard: Heard): After {
  switch (action.call) {
    case 'ask':
      return ask(state, action, heard);
    case 'askGroup':
      return askGroup(state, action, heard);
    case 'answerMany':
      return answerMany(state, action);
    case 'answerGroup':
      return answerGroup(state, action);
    case 'answer':
      return answerOne(state, action, action.by, action.at);
    case 'say':
      return say(state, action, seen);
    case 'cancel':
      return end(state, [action.id], 'cancelled', action.at, action.reason);
    case 'cancelChat':
      if (seen === undefined) return { state, seen: pendingIn(state, action.chatId).map(({ id }) => id) };
      return end(state, [...seen].reverse(), 'cancelled', action.at, action.reason);
    case 'supersede': {
      const ended = end(state, [action.id], 'superseded', action.at, action.reason);
      return { state: ended.state, heard: { value: ended.state !== state } };
    }
    case 'addRule': {
      const { rule, at } = action;
      const added = { ...state, rules: [...state.rules, rule] };
      return { state: appendRule(added, rule, at, 'rule.added', rule.createdBy), heard: { value: undefined } };
    }
    case 'editRule':
      return editRule(state, action);
    case 'removeRule': {
      const rule = state.rules.find(({ id }) => id === action.id);
      if (rule === undefined) return { state, heard: { value: false } };
      const left = { ...state, rules: state.rules.filter((other) => other !== rule) };
      return { state: appendRule(left, rule, action.at, 'rule.removed', action.by), heard: { value: true } };
    }
  }
}

/** An edit of what the editor saw; anything else is stale. */
function editRule(state: State, { rule, expected, at }: Extract<Action, { call: 'editRule' }>): After {
  const current = state.rules.find(({ id }) => id === rule.id);
  if (current === undefined) return { state, heard: { value: 'unknown' } };
  if (!isDeepStrictEqual(current, expected)) return { state, heard: { value: 'stale' } };
  const edited = { ...state, rules: state.rules.map((other) => (other === current ? rule : other)) };
  return { state: appendRule(edited, rule, at, 'rule.changed', rule.createdBy), heard: { value: 'kept' } };
}

/**
 * What the rules of this moment say about an approval that was just asked. Every rule here matches it, in its chat:
 * deny beats ask, ask beats allow, and of several the oldest decides.
 */
function decide(state: State, asked: Interaction, at: string): State {
  if (asked.kind !== 'approval') return state;
  const inChat = state.rules.filter(({ scope }) => scope.chatId === undefined || scope.chatId === asked.chatId);
  const watched = inChat
    .filter(({ mode }) => mode === 'watch')
    .reduce(
      (after, { id, effect }) => append(after, asked, at, { type: 'interaction.watched', ruleId: id, effect }),
      state,
    );
  const inForce = inChat.filter(({ mode }) => mode === 'on');
  const rule = (['deny', 'ask', 'allow'] as const).flatMap(
    (effect) => inForce.find((one) => one.effect === effect) ?? [],
  )[0];
  if (rule === undefined || rule.effect === 'ask') return watched;
  const answer =
    rule.effect === 'allow'
      ? { decision: 'allow' }
      : { decision: 'deny', message: rule.reason ?? `A rule of ${rule.createdBy} denies this.` };
  const answeredBy = { who: rule.createdBy, via: `rule:${rule.id}`, kind: 'rule' };
  const event = { type: 'interaction.answered', answer, by: answeredBy };
  return settle(watched, asked, { status: 'answered', answer, answeredBy }, at, event);
}

/** Expires one interaction, where its deadline has come. */
export function expire(state: State, id: string, at: string): State | null {
  const current = find(state, id);
  if (current?.status !== 'pending' || !isDue(current, at)) return null;
  return settle(state, current, { status: 'expired' }, at, { type: 'interaction.expired' });
}

export function find(state: State, id: string): Interaction | undefined {
  return state.interactions.find((interaction) => interaction.id === id);
}

export function isDue({ expiresAt }: Interaction, at: string): boolean {
  return expiresAt !== undefined && expiresAt <= at;
}

function ask(state: State, action: Extract<Action, { call: 'ask' }>, heard: Heard, more: object = {}): After {
  const { at, call: _, kind, chatId, idempotencyKey, expiresAt } = action;
  // Promise 6: the same key finds the same interaction, and no other. A kind has one request here.
  const earlier = state.interactions.find(
    (other) => idempotencyKey !== undefined && other.idempotencyKey === idempotencyKey,
  );
  if (earlier !== undefined) {
    const isSame = earlier.kind === kind && earlier.chatId === chatId;
    return { state, heard: isSame ? { value: earlier } : { code: 'key_reused' } };
  }
  // Where the caller chose no id, any id that nobody has will do.
  const id = action.id ?? ('value' in heard ? (heard.value as Interaction).id : '');
  if (find(state, id) !== undefined) return { state, heard: { code: 'interaction_exists' } };
  const asked = {
    ...REQUESTS[kind],
    id,
    chatId,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...more,
    ...(expiresAt !== undefined && { expiresAt }),
    status: 'pending',
    awaitingFeedback: false,
    createdAt: at,
  } as Interaction;
  const added = { ...state, interactions: [...state.interactions, asked] };
  const event = { type: 'interaction.requested', ...(expiresAt !== undefined && { expiresAt }) };
  const decided = decide(append(added, asked, at, event), asked, at);
  return { state: decided, heard: { value: find(decided, id) } };
}

/** All of them or none: each step is asked as if it were alone, and one that cannot be asked undoes the others. */
function askGroup(state: State, action: Extract<Action, { call: 'askGroup' }>, heard: Heard): After {
  const { asks, groupId, at } = action;
  const items = 'value' in heard ? (heard.value as Interaction[]) : [];
  const asked: unknown[] = [];
  let after = state;
  for (const [index, one] of asks.entries()) {
    const metadata = asks.length > 1 ? { metadata: { step: index + 1, steps: asks.length } } : {};
    // A group that was refused heard of none, and is still tried in every order.
    const heardOne = items[index] === undefined ? heard : { value: items[index] };
    const alone = ask(after, { call: 'ask', at, ...one }, heardOne, { groupId, ...metadata });
    if (alone.heard !== undefined && 'code' in alone.heard) return { state, heard: alone.heard };
    asked.push((alone.heard as { value: unknown }).value);
    after = alone.state;
  }
  return { state: after, heard: { value: asked } };
}

/** Each is judged by itself, one after the other. An answer that does not fit one of them is given to none. */
function answerMany(state: State, { answers, by, at }: Extract<Action, { answers: unknown }>): After {
  const results: unknown[] = [];
  let after = state;
  for (const chosen of answers) {
    const alone = answerOne(after, chosen, by, at);
    if ('code' in alone.heard) return { state, heard: alone.heard };
    results.push(alone.heard.value);
    after = alone.state;
  }
  return { state: after, heard: { value: results } };
}

/** If each would be accepted or is a repeat, all are recorded. Otherwise only what is late is logged. */
function answerGroup(state: State, { answers, by, at }: Extract<Action, { answers: unknown }>): After {
  const alone = answers.map((chosen) => answerOne(state, chosen, by, at));
  const invalid = alone.find(({ heard }) => 'code' in heard);
  if (invalid !== undefined) return { state, heard: invalid.heard };
  const results = alone.map(({ heard }) => (heard as { value: { result: string } }).value.result);
  const result = ['unknown', 'lost', 'late', 'accepted', 'repeated'].find((worst) => results.includes(worst));
  const isRecorded = result === 'accepted' || result === 'repeated';
  const recorded = answers.filter((_, index) => isRecorded || results[index] === 'late');
  const after = recorded.reduce((current, chosen) => answerOne(current, chosen, by, at).state, state);
  return { state: after, heard: { value: { result, interactions: answers.map(({ id }) => find(after, id) ?? null) } } };
}

function answerOne(state: State, { id, choice }: Chosen, by: Answerer, at: string): After & { heard: Heard } {
  const current = find(state, id);
  if (current === undefined) return { state, heard: { value: { result: 'unknown', interaction: null } } };
  const choices = CHOICES[current.kind];
  return answer(state, current, choices[choice % choices.length]!, by, at) as After & { heard: Heard };
}

function answer(
  state: State,
  current: Interaction,
  choice: NonNullable<ReturnType<typeof toChoice>>,
  by: Answerer,
  at: string,
): After {
  const { means, keep } = choice;
  const answeredBy = { ...by, kind: by.kind ?? 'person' };
  const tell = (result: string, after: State): After => ({
    state: after,
    heard: { value: { result, interaction: find(after, current.id) } },
  });
  if (means === 'invalid') return { state, heard: { code: 'invalid_answer' } };
  if (current.status === 'answered') {
    return tell(means === 'keep' && isDeepStrictEqual(keep, current.answer) ? 'repeated' : 'lost', state);
  }
  if (current.status !== 'pending' || isDue(current, at)) {
    const ended = expire(state, current.id, at) ?? state;
    const { status } = find(ended, current.id)!;
    return tell(
      'late',
      append(ended, current, at, { type: 'interaction.late_answer', answer: keep, by: answeredBy, status }),
    );
  }
  if (means === 'keep') {
    const event = { type: 'interaction.answered', answer: keep, by: answeredBy };
    return tell('accepted', settle(state, current, { status: 'answered', answer: keep, answeredBy }, at, event));
  }
  if (current.awaitingFeedback) return tell('repeated', state);
  const waiting = replace(state, { ...current, awaitingFeedback: true });
  return tell('accepted', append(waiting, current, at, { type: 'interaction.feedback_requested', by: answeredBy }));
}

function say(state: State, action: Extract<Action, { call: 'say' }>, seen: readonly string[] | undefined): After {
  if (seen === undefined) {
    const pending = pendingIn(state, action.chatId).filter(isShown);
    const awaiting = pending.filter((interaction) => interaction.awaitingFeedback);
    // Forms and components count too: they may have been meant.
    const [target, other] = awaiting.length > 0 ? awaiting : pending;
    const isClear = target !== undefined && other === undefined;
    if (!isClear || toChoice(target.kind, target.awaitingFeedback, action.text) === null) {
      return { state, heard: { value: false } };
    }
    return { state, seen: [target.id, String(target.awaitingFeedback)] };
  }
  const target = find(state, seen[0]!)!;
  const choice = toChoice(target.kind, seen[1] === 'true', action.text)!;
  const after = answer(state, target, choice, action.by, action.at);
  const { result } = (after.heard as { value: { result: string } }).value;
  return { state: after.state, heard: { value: result === 'accepted' || result === 'repeated' } };
}

function end(
  state: State,
  ids: readonly string[],
  status: 'cancelled' | 'superseded',
  at: string,
  reason: string | undefined,
): After {
  const why = reason === undefined ? {} : { reason };
  const ended: string[] = [];
  let after = state;
  for (const id of ids) {
    const current = find(after, id);
    if (current?.status !== 'pending' || isDue(current, at)) continue;
    after = settle(after, current, { status, ...why }, at, { type: `interaction.${status}`, ...why });
    ended.push(id);
  }
  return { state: after, heard: { value: ended } };
}

function pendingIn(state: State, chatId: string): Interaction[] {
  return state.interactions.filter((interaction) => interaction.chatId === chatId && interaction.status === 'pending');
}

/** A chat shows the first open step of a group, so a text is never for a later one. */
function isShown({ id, groupId, metadata }: Interaction, _: number, pending: readonly Interaction[]): boolean {
  if (metadata === undefined) return true;
  return pending.find((other) => other.groupId === groupId && other.metadata !== undefined)?.id === id;
}

function settle(state: State, current: Interaction, changes: object, at: string, event: Happened): State {
  const settled = { ...current, ...changes, awaitingFeedback: false, settledAt: at };
  return append(replace(state, settled as Interaction), current, at, event);
}

function replace(state: State, changed: Interaction): State {
  return { ...state, interactions: state.interactions.map((other) => (other.id === changed.id ? changed : other)) };
}

function append(state: State, { id, chatId, kind }: Interaction, at: string, event: Happened): State {
  const logged = { seq: state.log.length + 1, at, interactionId: id, chatId, kind, ...event } as LogEvent;
  return { ...state, log: [...state.log, logged] };
}

function appendRule(state: State, { id, scope }: Rule, at: string, type: string, by: string): State {
  const chat = scope.chatId === undefined ? {} : { chatId: scope.chatId };
  const logged = { seq: state.log.length + 1, at, ruleId: id, ...chat, type, by } as LogEvent;
  return { ...state, log: [...state.log, logged] };
}
