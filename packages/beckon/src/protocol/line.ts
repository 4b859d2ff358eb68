/** What turns `/v1/ws` into a line: calls in, replies out, in batches. An older Beckon refuses the query. */
export const LINE_QUERY = 'calls=1';

/**
 * What the line carries, in frames of calls: `[ref, verb, id, body]`, with the body of the HTTP request that means the
 * same; `follow` has the number of the last known event instead. Everything else goes over HTTP.
 */
export type Verb = 'ask' | 'get' | 'wait' | 'answer' | 'cancel' | 'supersede' | 'follow';

/**
 * One reply: the status and the body that an HTTP request would have got. Messages of a stream have the status 206;
 * their body is where the stream is, or events.
 */
export type LineReply = [ref: number, status: number, body: unknown];

/** The status of what a stream brings. */
export const STREAMED = 206;

/** The first frame of the server, so that a client knows that this is a line. */
export const LINE_GREETING = '{"line":1}';

/** How the line is limited on both sides. */
export const LINE_LIMITS = {
  /** Most characters of a frame from a client; each takes at most three bytes, and a frame at most a MiB. */
  frameChars: 340_000,
  /** Calls of a client that it sends before the first of them has its reply; waits do not count. */
  calls: 1000,
  /** Waits of one line. */
  waits: 20_000,
  /** Streams of events of one line. */
  streams: 100,
  /** Characters of events that a stream sends before the reader has read the first. One event may be longer. */
  unreadChars: 262_144,
} as const;
