import { toPlanChoices } from 'beckon/presentation';

export const texts = {
  title: 'Log',
  empty: 'The log has no entries.',
  failed: 'The log could not be loaded.',
  types: {
    'interaction.requested': 'Asked',
    'interaction.delivered': 'Shown',
    'interaction.undeliverable': 'Could not be shown',
    'interaction.feedback_requested': 'Feedback requested',
    'interaction.answered': 'Answered',
    'interaction.expired': 'Expired',
    'interaction.cancelled': 'Cancelled',
    'interaction.superseded': 'Ended elsewhere',
    'interaction.late_answer': 'Late answer, not counted',
    'interaction.reminded': 'Reminded',
    'hook.received': 'Hook received',
    'hook.forwarded': 'Hook forwarded',
    'hook.dead': 'Hook could not be delivered',
    'session.started': 'Session started',
    'session.ended': 'Session ended',
  } as Record<string, string>,
  decisions: {
    allow: 'Allowed',
    deny: 'Denied',
    ...Object.fromEntries(toPlanChoices({}).map(({ decision, past }) => [decision, past])),
  } as Record<string, string>,
  deadline: (at: string) => `Deadline: ${at}`,
  noDeadline: 'No deadline',
  number: (seq: number) => `Log entry ${seq}`,
};
