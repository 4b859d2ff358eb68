/** What the page receives, one JSON object per message. */
export type ChatEvent =
  | { type: 'asked'; query: string }
  | { type: 'said'; text: string }
  | { type: 'partial'; components: unknown }
  | { type: 'shown'; components: unknown; callbackUrl: string | undefined }
  | { type: 'over' }
  | { type: 'failed'; why: string };
