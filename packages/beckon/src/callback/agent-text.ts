/** The fields in which frameworks put the text of an event, in the order in which they are looked at. */
const TEXT_FIELDS = ['text', 'content', 'delta', 'textDelta', 'message', 'output', 'data'] as const;
/** Events about something else than what the agent says. */
const OTHER_TYPES = /reasoning|thinking|tool|error|source|file|metadata|start|finish|end$/i;

/** The text in an event of an agent's stream, whichever framework it comes from; empty where it has none. */
export function toText(event: unknown): string {
  if (typeof event === 'string') return event;
  if (typeof event === 'number' || typeof event === 'bigint') return String(event);
  if (typeof event !== 'object' || event === null) return '';
  // LangGraph streams pairs of a message and what is known about it.
  if (Array.isArray(event)) return isPair(event) ? toText(event[0]) : event.map(toText).join('');
  const fields = event as Record<string, unknown>;
  if (typeof fields['type'] === 'string' && OTHER_TYPES.test(fields['type'])) return '';
  for (const name of TEXT_FIELDS) {
    const value = fields[name];
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'object' && value !== null) {
      const text = toText(value);
      if (text !== '') return text;
    }
  }
  return '';
}

function isPair(event: readonly unknown[]): boolean {
  return event.length === 2 && event.every((item) => typeof item === 'object' && item !== null);
}
