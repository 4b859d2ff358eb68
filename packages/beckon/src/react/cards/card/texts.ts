export const texts = {
  from: (kind: string, agent: string) => `${kind} from ${agent}`,
  reason: (reason: string) => `Reason: ${reason}`,
  expiredHint: 'The agent was told that nobody answered. Silence is never a yes.',
  supersededHint: 'The request was settled outside Beckon, or the agent asked again.',
  broken: 'This request cannot be shown here. Answer it in the inbox.',
};
