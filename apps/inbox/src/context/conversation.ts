import type { ContextSaid, ConversationEntry } from 'beckon/protocol';

/** One entry of a conversation, from either source. */
export interface Talk {
  key: string;
  by: ContextSaid['by'] | Exclude<ConversationEntry['type'], 'person' | 'agent'>;
  text: string;
  at?: string;
  tool?: string;
  outcome?: ConversationEntry['outcome'];
  ms?: number;
  error?: string;
  interactionId?: string;
}

/**
 * One conversation of what the agent sent with the request and what Beckon kept of the session. The agent's words are
 * more complete, so they win for the time that they cover; what Beckon alone knows, such as a decision, stays.
 */
export function mergeConversation(sent: readonly ContextSaid[], kept: readonly ConversationEntry[]): Talk[] {
  const said = sent.map(
    ({ by, text, at }, index): Talk => ({ key: `s${index}`, by, text, ...(at !== undefined && { at }) }),
  );
  const known = kept.map(toTalk);
  const times = said.map(({ at }) => toTime(at)).filter((time) => !Number.isNaN(time));
  if (said.length === 0) return known;
  // Without times, nobody can say where the agent's entries belong.
  if (times.length < said.length) return said;
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const others = known.filter(({ by, at }) => {
    const time = toTime(at);
    return time < first || time > last || by === 'request' || by === 'note';
  });
  return [...others, ...said].sort((one, other) => toTime(one.at) - toTime(other.at));
}

function toTalk({ seq, type, cut, ...entry }: ConversationEntry): Talk {
  const { at, text, tool, outcome, ms, error, interactionId } = entry;
  return {
    key: `k${seq}`,
    by: type,
    at,
    text: cut === true ? `${text}…` : text,
    ...(tool !== undefined && { tool }),
    ...(outcome !== undefined && { outcome }),
    ...(ms !== undefined && { ms }),
    ...(error !== undefined && { error }),
    ...(interactionId !== undefined && { interactionId }),
  };
}

function toTime(at: string | undefined): number {
  return at === undefined ? Number.NaN : Date.parse(at);
}
