/** The path of a request. */
export function toInteractionPath(id: string): string {
  return `/i/${encodeURIComponent(id)}`;
}

/** The path of a session. */
export function toSessionPath(sessionId: string): string {
  return `/sessions/${encodeURIComponent(sessionId)}`;
}

/** The path of a rule. */
export function toRulePath(id: string): string {
  return `/rules/${encodeURIComponent(id)}`;
}

/** An id, short enough for a list. Ids differ at the end. */
export function toShortId(id: string): string {
  return id.length <= 24 ? id : `…${id.slice(-8)}`;
}
