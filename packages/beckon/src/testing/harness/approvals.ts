import type { InteractionOf } from '../../protocol/interaction.ts';

type Approval = InteractionOf<'approval'>;

/** The folder of the project in which `askFor` asks. */
export const WEBSHOP = '/home/ada/webshop';

/** An approval as Claude Code asks for it in a project, pending. Files in it were looked at. */
export function askFor(tool: string, input: Approval['request']['input'], more: Partial<Approval> = {}): Approval {
  const file = input['file_path'];
  return {
    id: 'int_1',
    chatId: 'default',
    sessionId: 'session-1',
    askedBy: 'laptop',
    kind: 'approval',
    request: { tool, input },
    context: {
      project: 'webshop',
      folder: WEBSHOP,
      root: WEBSHOP,
      ...(typeof file === 'string' && { files: [{ path: file, isSeen: true }] }),
    },
    status: 'pending',
    awaitingFeedback: false,
    createdAt: '2026-01-01T00:00:00.000Z',
    ...more,
  };
}

/** The same for a command. */
export function askToRun(command: string, more: Partial<Approval> = {}): Approval {
  return askFor('Bash', { command }, more);
}

/** An approval that a person answered. */
export function answer(approval: Approval, decision: 'allow' | 'deny', more: Partial<Approval> = {}): Approval {
  return {
    ...approval,
    status: 'answered',
    answer: { decision },
    answeredBy: { who: 'ada', via: 'inbox', kind: 'person' },
    settledAt: approval.createdAt,
    ...more,
  };
}
