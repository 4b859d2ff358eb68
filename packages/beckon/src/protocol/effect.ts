/** What a rule says about a request, the strictest first: this is also their order of precedence. */
export const EFFECTS = ['deny', 'ask', 'allow'] as const;
export type Effect = (typeof EFFECTS)[number];
