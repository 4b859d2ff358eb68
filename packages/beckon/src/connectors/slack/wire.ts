import * as z from 'zod/mini';

/*
 * What Slack sends, as far as the connector reads it. Everything else in it is ignored; what does not fit is dropped.
 */

/** A time of Slack's: seconds and microseconds since 1970, as a text. It also names a message within its channel. */
const Ts = z.string().check(z.regex(/^\d{1,12}\.\d{1,6}$/));
const Id = z.string().check(z.minLength(1), z.maxLength(100));

/** A message of the socket, as far as it says what it is. An event must have an inner event. */
export const SocketMessage = z.union([
  z.object({ type: z.literal('events_api'), payload: z.object({ event: z.object({ type: z.string() }) }) }),
  z.object({ type: z.string().check(z.refine((type) => type !== 'events_api')) }),
]);

/** An envelope as the package hands it over. */
export const SocketEvent = z.object({
  envelope_id: Id,
  type: z.string(),
  body: z.unknown(),
  ack: z.custom<(reply?: object) => Promise<void>>((value) => typeof value === 'function'),
});

const Option = z.object({ value: z.string() });

/** What a person chose in one control. */
const Chosen = z.object({
  selected_option: z.optional(z.nullable(Option)),
  selected_options: z.optional(z.nullable(z.array(Option))),
  selected_date: z.optional(z.nullable(z.string())),
  selected_date_time: z.optional(z.nullable(z.number())),
  value: z.optional(z.nullable(z.string())),
});
export type Chosen = z.output<typeof Chosen>;

/** What a person chose in all controls, by block and by control. */
const State = z.object({ values: z.record(z.string(), z.record(z.string(), Chosen)) });
export type State = z.output<typeof State>;

/** A press on a control of a message. */
export const BlockActions = z.object({
  type: z.literal('block_actions'),
  user: z.object({ id: Id }),
  container: z.object({ type: z.literal('message'), message_ts: Ts, channel_id: Id }),
  actions: z
    .array(z.object({ type: z.string(), action_id: z.string(), value: z.optional(z.string()), action_ts: Ts }))
    .check(z.minLength(1)),
  trigger_id: z.optional(z.string()),
  state: z.optional(State),
});
export type BlockActions = z.output<typeof BlockActions>;

/** A form that was sent. */
export const ViewSubmission = z.object({
  type: z.literal('view_submission'),
  user: z.object({ id: Id }),
  view: z.object({ id: Id, hash: z.string(), private_metadata: z.string(), state: State }),
});
export type ViewSubmission = z.output<typeof ViewSubmission>;

/** A message that somebody wrote. */
export const Message = z.object({
  type: z.literal('message'),
  subtype: z.optional(z.string()),
  user: z.optional(Id),
  bot_id: z.optional(z.nullable(z.string())),
  app_id: z.optional(z.nullable(z.string())),
  text: z.optional(z.string()),
  ts: Ts,
  thread_ts: z.optional(Ts),
  parent_user_id: z.optional(z.string()),
  files: z.optional(z.array(z.object({ name: z.optional(z.nullable(z.string())) }))),
});
export type Message = z.output<typeof Message>;

/** The same as an event, with its channel. */
const MessageEvent = z.extend(Message, { channel: Id });
export type MessageEvent = z.output<typeof MessageEvent>;

/** The payload of an event. */
export const EventPayload = z.object({ event: MessageEvent });

/** The replies that the connector reads. */
export const AuthTest = z.object({
  user_id: Id,
  bot_id: z.optional(z.string()),
  response_metadata: z.optional(z.object({ scopes: z.optional(z.array(z.string())) })),
});
export const Posted = z.object({ ts: Ts });
/** A message that Slack keeps, and the names of its blocks. */
const KeptMessage = z.extend(Message, { blocks: z.optional(z.array(z.object({ block_id: z.optional(z.string()) }))) });
export type KeptMessage = z.output<typeof KeptMessage>;
export const Messages = z.object({
  messages: z.array(KeptMessage),
  response_metadata: z.optional(z.object({ next_cursor: z.optional(z.string()) })),
});
export const Opened = z.object({ view: z.object({ id: Id }) });

/** A time of Slack's in milliseconds. */
export function toMs(ts: string): number {
  return Number(ts) * 1000;
}

/** The other way round. */
export function toTs(ms: number): string {
  return (ms / 1000).toFixed(6);
}
