/** The inside of a request, with the forms of every kind. */
export function loadRequestBody() {
  return import('../../cards/request-body.tsx');
}

/** The log of one request. */
export function loadLogPanel() {
  return import('../log/log-panel.tsx');
}

/** Why the agent asks, and what it did before. */
export function loadSurroundings() {
  return import('../../context/surroundings.tsx');
}

/** What the agent only claims, and the parts of the context that few people need. */
export function loadClaimDetails() {
  return import('../../context/claim-details.tsx');
}

/** Which rule decided a request. */
export function loadDecidedByRule() {
  return import('../../rules/decided-by-rule.tsx');
}
