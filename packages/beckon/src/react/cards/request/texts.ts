export const texts = {
  reason: (reason: string) => `Reason: ${reason}`,
  expiredHint: 'The agent was told that nobody answered. Silence is never a yes.',
  supersededHint: 'The request was settled outside Beckon, or the agent asked again.',
  steps: (open: number, steps: number) => `${open} of ${steps} questions open`,
};
