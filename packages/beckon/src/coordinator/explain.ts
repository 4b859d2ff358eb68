import type { Ended } from './pending-requests.ts';

/** Why there is no answer, in words that tell a person's no from silence. */
export function explain({ outcome, interaction }: Ended, what: string): string {
  const reason = interaction.reason === undefined ? '' : ` (${interaction.reason})`;
  switch (outcome) {
    case 'expired':
      return `Timed out: nobody answered ${what} in time.`;
    case 'cancelled':
      return `Cancelled: ${what} was cancelled${reason}.`;
    case 'superseded':
      return `Ended elsewhere: ${what} was settled outside Beckon or asked again${reason}.`;
    case 'undeliverable':
      return `Nobody could be reached for ${what}. It stays open as ${interaction.id}; the same tool call finds its answer later.`;
    case 'answered':
      return `The answer to ${what} cannot be read.`;
  }
}
