import * as z from 'zod/mini';
import { ApprovalAnswer, ComponentAnswer, FormAnswer, PlanReviewAnswer, QuestionAnswer } from './answers.ts';
import { EFFECTS } from './effect.ts';
import { AnsweredBy, KINDS, STATUSES } from './interaction.ts';

const AnyAnswer = z.union([PlanReviewAnswer, ApprovalAnswer, QuestionAnswer, FormAnswer, ComponentAnswer]);

const logged = {
  /** Rises by one with each event of the log, without gaps. */
  seq: z.number(),
  at: z.string(),
};
const ofInteraction = {
  ...logged,
  interactionId: z.string(),
  chatId: z.string(),
  sessionId: z.optional(z.string()),
  kind: z.enum(KINDS),
};
const ofHook = { ...logged, sessionId: z.string(), hookId: z.string(), eventType: z.string() };
const ofSession = { ...logged, sessionId: z.string() };
/** `chatId`: the rule is for this chat alone. */
const ofRule = { ...logged, ruleId: z.string(), chatId: z.optional(z.string()) };

/** The time policy of a chat, or of a project. */
const ofPolicy = { ...logged, chatId: z.optional(z.string()), project: z.optional(z.string()), by: z.string() };

/** One entry of the log. Requests are not repeated in it: the interaction keeps them unchanged. */
export const LogEvent = z.discriminatedUnion('type', [
  z.object({ ...ofInteraction, type: z.literal('interaction.requested'), expiresAt: z.optional(z.string()) }),
  /** `destination`: a person was told there, by its id. */
  z.object({
    ...ofInteraction,
    type: z.literal('interaction.delivered'),
    connector: z.string(),
    destination: z.optional(z.string()),
  }),
  z.object({
    ...ofInteraction,
    type: z.literal('interaction.undeliverable'),
    connector: z.string(),
    error: z.string(),
    destination: z.optional(z.string()),
  }),
  z.object({ ...ofInteraction, type: z.literal('interaction.feedback_requested'), by: AnsweredBy }),
  z.object({ ...ofInteraction, type: z.literal('interaction.answered'), answer: AnyAnswer, by: AnsweredBy }),
  z.object({ ...ofInteraction, type: z.literal('interaction.expired') }),
  z.object({ ...ofInteraction, type: z.literal('interaction.cancelled'), reason: z.optional(z.string()) }),
  z.object({ ...ofInteraction, type: z.literal('interaction.superseded'), reason: z.optional(z.string()) }),
  z.object({
    ...ofInteraction,
    type: z.literal('interaction.late_answer'),
    answer: AnyAnswer,
    by: AnsweredBy,
    status: z.enum(STATUSES),
  }),
  z.object({ ...ofInteraction, type: z.literal('interaction.reminded') }),
  /** It was passed on to a person, or to a destination. `problem`: why nobody was told. */
  z.object({
    ...ofInteraction,
    type: z.literal('interaction.escalated'),
    to: z.string(),
    problem: z.optional(z.string()),
  }),
  z.object({ ...ofInteraction, type: z.literal('interaction.withheld'), reason: z.string() }),
  /** A rule that only watches would have said this. */
  z.object({ ...ofInteraction, type: z.literal('interaction.watched'), ruleId: z.string(), effect: z.enum(EFFECTS) }),
  z.object({ ...ofHook, type: z.literal('hook.received') }),
  z.object({ ...ofHook, type: z.literal('hook.forwarded') }),
  z.object({ ...ofHook, type: z.literal('hook.dead'), error: z.string() }),
  z.object({ ...ofSession, type: z.literal('session.started'), conversationId: z.optional(z.string()) }),
  z.object({ ...ofSession, type: z.literal('session.ended') }),
  /** A person gave the session a title; empty: its own title again. */
  z.object({ ...ofSession, type: z.literal('session.renamed'), title: z.string(), by: z.string() }),
  z.object({ ...ofRule, type: z.literal('rule.added'), by: z.string() }),
  z.object({ ...ofRule, type: z.literal('rule.changed'), by: z.string() }),
  z.object({ ...ofRule, type: z.literal('rule.removed'), by: z.string() }),
  /** The rule decides nothing any more, and why. Without `by`, Beckon stopped it. */
  z.object({ ...ofRule, type: z.literal('rule.stopped'), why: z.string(), by: z.optional(z.string()) }),
  z.object({ ...ofPolicy, type: z.literal('policy.set') }),
  z.object({ ...ofPolicy, type: z.literal('policy.removed') }),
]);
export type LogEvent = z.output<typeof LogEvent>;

type WithoutSeq<Event> = Event extends LogEvent ? Omit<Event, 'seq'> : never;
/** A log event before the store gives it its number. */
export type NewLogEvent = WithoutSeq<LogEvent>;
/** The log events that belong to one rule. */
export type RuleEvent = Extract<NewLogEvent, { type: `rule.${string}` }>;
/** The log events of time policies. */
export type PolicyEvent = Extract<NewLogEvent, { type: `policy.${string}` }>;
