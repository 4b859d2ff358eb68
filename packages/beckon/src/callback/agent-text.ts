/** The fields that frameworks use for the text of an event, in the order they are tried. */
const TEXT_FIELDS = ['text', 'content', 'delta', 'textDelta', 'message', 'output', 'data'] as const;
/** Events that are not about what the agent says. */
const OTHER_TYPES =
  /(?:^|[-_.:])(?:reasoning|thinking|tools?|error|source|file|metadata|start|finish|end)(?:[-_.:]|$)/i;

/** The text in an event of an agent's stream, from any framework; empty if it has none. */
export function toText(event: unknown): string {
  // LangGraph streams pairs of a message and its metadata.
  return Array.isArray(event) && isPair(event) ? findText(event[0]) : findText(event);
}

function findText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return '';
  if (Array.isArray(value)) return value.map(findText).join('');
  const fields = value as Record<string, unknown>;
  if (typeof fields['type'] === 'string' && OTHER_TYPES.test(fields['type'])) return '';
  for (const name of TEXT_FIELDS) {
    const inner = fields[name];
    const text = typeof inner === 'string' || (typeof inner === 'object' && inner !== null) ? findText(inner) : '';
    if (text !== '') return text;
  }
  return '';
}

function isPair(event: readonly unknown[]): boolean {
  return event.length === 2 && event.every((item) => typeof item === 'object' && item !== null);
}
