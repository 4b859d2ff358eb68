import { BeckonError } from '../protocol/errors.ts';
import type { Interaction } from '../protocol/interaction.ts';

/** What a script can branch on. `docs/cli.md` explains each. */
export const EXIT = {
  answered: 0,
  failed: 1,
  usage: 2,
  denied: 3,
  expired: 4,
  cancelled: 5,
  unreachable: 6,
  keyReused: 7,
} as const;

/** The exit code of `beckon ask` for an outcome. A person's "no" has a code of its own. */
export function toExitCode(interaction: Interaction): number {
  switch (interaction.status) {
    case 'answered':
      return isDenied(interaction) ? EXIT.denied : EXIT.answered;
    case 'expired':
      return EXIT.expired;
    case 'cancelled':
    case 'superseded':
      return EXIT.cancelled;
    case 'pending':
      return EXIT.failed;
  }
}

/** The exit code for a failure. */
export function toErrorExitCode(error: unknown): number {
  if (!(error instanceof BeckonError)) return EXIT.failed;
  switch (error.code) {
    case 'unreachable':
      return EXIT.unreachable;
    case 'key_reused':
      return EXIT.keyReused;
    case 'invalid_input':
    case 'invalid_answer':
      return EXIT.usage;
    default:
      return EXIT.failed;
  }
}

function isDenied(interaction: Interaction): boolean {
  if (interaction.kind === 'approval') return interaction.answer?.decision === 'deny';
  return interaction.kind === 'plan_review' && interaction.answer?.decision === 'adjust';
}
