// Apart from the other texts: the dialog is loaded on demand.
export const dismissTexts = {
  title: 'Dismiss this request?',
  call: (count: number) => `Dismiss all ${count} questions of this call?`,
  hint: 'The agent learns that the request was cancelled. That is not a “no”, and it cannot be undone.',
  reason: 'Reason (optional)',
  dismissed: 'Dismissed',
  failed: 'The request could not be dismissed.',
  tooLate: 'The request had already ended.',
  defaultReason: 'Dismissed in the inbox',
};
