import * as z from 'zod/mini';
import { Duration } from './duration.ts';
import { KINDS } from './interaction.ts';
import { NonEmptyText } from './json.ts';
import { must } from './parse.ts';
import { RISK_LEVELS } from './risk.ts';

/** The ways to tell a person. A webhook tells a program. */
export const DESTINATION_KINDS = ['push', 'ntfy', 'email', 'webhook'] as const;
export type DestinationKind = (typeof DESTINATION_KINDS)[number];

/**
 * How much of a request leaves Beckon: a `link` to it, its `headline`, or everything the way can show. Web Push is
 * sealed and webhooks are programs of an admin, so their default is `headline`; everything else has `link`.
 */
export const CONTENT_LEVELS = ['link', 'headline', 'full'] as const;
export type ContentLevel = (typeof CONTENT_LEVELS)[number];

const ClockTime = z
  .string()
  .check(must('a time of day such as "22:00"', (text) => /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text)));
const TimeZone = z.string().check(must('a time zone such as "Europe/Berlin"', isTimeZone));

/** Hours in which nobody is told. What falls into them is told when they end, if it is still pending. */
export const QuietHours = z
  .strictObject({ from: ClockTime, to: ClockTime, timeZone: TimeZone })
  .check(must('two different times', ({ from, to }) => from !== to));
export type QuietHours = z.output<typeof QuietHours>;

const when = {
  /** How long a request waits first. Default 0: at once. */
  after: Duration,
  /** Tells again this long before the request expires. */
  beforeExpiry: Duration,
  quiet: QuietHours,
  /** Tells even while the person has the page in sight. */
  evenInSight: z.boolean(),
};

/** When a person is told. */
export const When = z.strictObject({
  after: z._default(when.after, 0),
  beforeExpiry: z.optional(when.beforeExpiry),
  quiet: z.optional(when.quiet),
  evenInSight: z._default(when.evenInSight, false),
});
export type When = z.output<typeof When>;

const MOST_NAMES = 50;
const names = z
  .array(NonEmptyText)
  .check(must(`1 to ${MOST_NAMES} names`, (list) => list.length > 0 && list.length <= MOST_NAMES));

/** What a person is told about. Everything named must hold; an empty filter is everything they may see. */
export const DestinationFilter = z.strictObject({
  chats: z.optional(names),
  projects: z.optional(names),
  kinds: z.optional(z.array(z.enum(KINDS))),
  /** Only requests that need at least this much care. */
  risk: z.optional(z.enum(RISK_LEVELS)),
  /** For webhooks: events of these types; `interaction.*` is all that begin so. */
  types: z.optional(names),
});
export type DestinationFilter = z.output<typeof DestinationFilter>;

const HttpUrl = z
  .string()
  .check(must('an http or https URL', (url) => url.length <= 2000 && /^https?:\/\/[^\s]+$/.test(url)));
const Key = z.string().check(must('a key in base64url', (key) => /^[\w-]{20,200}$/.test(key)));

/** What a browser gives to whoever may push to it. */
export const PushSubscription = z.strictObject({
  endpoint: HttpUrl,
  keys: z.strictObject({ p256dh: Key, auth: Key }),
});
export type PushSubscription = z.output<typeof PushSubscription>;

const common = {
  label: z.optional(NonEmptyText),
  when: z._default(When, { after: 0, evenInSight: false }),
  filter: z._default(DestinationFilter, {}),
  content: z.optional(z.enum(CONTENT_LEVELS)),
};

/** A new destination. It counts once it is proven. */
export const DestinationDraft = z.discriminatedUnion('kind', [
  z.strictObject({ ...common, kind: z.literal('push'), subscription: PushSubscription }),
  z.strictObject({
    ...common,
    kind: z.literal('ntfy'),
    server: z._default(HttpUrl, 'https://ntfy.sh'),
    /** Default: a random one, which nobody can guess. */
    topic: z.optional(z.string().check(must('letters, digits, "_" and "-", at most 64', isTopic))),
    token: z.optional(z.string().check(must('a token without spaces', (token) => /^\S{1,200}$/.test(token)))),
  }),
  z.strictObject({
    ...common,
    kind: z.literal('email'),
    to: z
      .string()
      .check(must('an e-mail address', (to) => to.length <= 254 && /^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/.test(to))),
  }),
  z.strictObject({ ...common, kind: z.literal('webhook'), url: HttpUrl }),
]);
export type DestinationDraft = z.input<typeof DestinationDraft>;
export type ParsedDestinationDraft = z.output<typeof DestinationDraft>;

/** What to change. `null` removes a field. */
export const DestinationChange = z.strictObject({
  label: z.optional(NonEmptyText),
  when: z.optional(When),
  filter: z.optional(DestinationFilter),
  content: z.optional(z.enum(CONTENT_LEVELS)),
  /** Off: nothing is sent until it is on again. */
  isOn: z.optional(z.boolean()),
});
export type DestinationChange = z.output<typeof DestinationChange>;

/** Where a person is told, without what must stay secret: endpoints, topics, keys. */
export const PersonalDestination = z.object({
  id: z.string(),
  kind: z.enum(DESTINATION_KINDS),
  /** Whom it belongs to. */
  owner: z.string(),
  /** What people call it: "Chrome on Android", "ada@example.com". */
  label: z.string(),
  /** Where it leads, as far as it may be shown: the host of a push service, an address. */
  target: z.string(),
  when: z.object({
    after: z.union([z.number(), z.string()]),
    beforeExpiry: z.optional(z.union([z.number(), z.string()])),
    quiet: z.optional(z.object({ from: z.string(), to: z.string(), timeZone: z.string() })),
    evenInSight: z.boolean(),
  }),
  filter: z.object({
    chats: z.optional(z.array(z.string())),
    projects: z.optional(z.array(z.string())),
    kinds: z.optional(z.array(z.enum(KINDS))),
    risk: z.optional(z.enum(RISK_LEVELS)),
    types: z.optional(z.array(z.string())),
  }),
  content: z.enum(CONTENT_LEVELS),
  isOn: z.boolean(),
  createdAt: z.string(),
  /** Since when it is known to lead to its owner. Absent: nothing but a test is sent. */
  provenAt: z.optional(z.string()),
  /** Why nothing arrives any more, and since when. */
  problem: z.optional(z.object({ at: z.string(), error: z.string() })),
  /** Since when nothing is sent because its receiver refuses us. Turning it on, or a test that arrives, ends it. */
  pausedAt: z.optional(z.string()),
  lastSentAt: z.optional(z.string()),
  /** How many notices wait for it, and how many will never arrive. */
  waiting: z.number(),
  dead: z.number(),
});
export type PersonalDestination = z.output<typeof PersonalDestination>;

function isTopic(topic: string): boolean {
  return /^[\w-]{1,64}$/.test(topic);
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return true;
  } catch {
    return false;
  }
}
