/** Every size limit of Beckon in one place. Sizes are UTF-8 bytes of the JSON form unless the name says otherwise. */
export const LIMITS = {
  /** One request, or one answer, as JSON. */
  requestBytes: 1_048_576,
  /** One hook, as JSON. */
  hookBytes: 4_194_304,
  /** One human-readable text: a question, a label, a message. Plans are bounded by `requestBytes` instead. */
  textBytes: 65_536,
  /** The context of one request, as JSON. */
  contextBytes: 65_536,
  /** Requests of one group, such as the questions of one call. */
  groupSteps: 20,
  /** Comments on the passages of one plan. */
  planComments: 100,
  /** Options of one question, and suggestions of one approval. */
  options: 100,
  /** Levels of arrays and objects inside each other. */
  depth: 64,
  /** Characters of an id, a chat id, a session id or an idempotency key. */
  idChars: 200,
  /** Rules of one Beckon. */
  rules: 10_000,
  /** Destinations of one person. */
  destinations: 20,
  /** Destinations of one Beckon. */
  allDestinations: 10_000,
  /** Times that one request may be passed on. */
  escalations: 10,
  /** Time policies of one Beckon. */
  policies: 1000,
  /** Items in one page of a list. */
  pageItems: 200,
  /** Seconds of the longest timeout: ten years. */
  durationSeconds: 315_360_000,
} as const;

/** Seconds an interaction waits for its answer when the agent names no timeout. */
export const DEFAULT_TIMEOUT_SECONDS = 300;
