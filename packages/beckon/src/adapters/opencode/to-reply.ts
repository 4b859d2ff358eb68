import type { InteractionOf, Settled } from '../../protocol/interaction.ts';

/** What opencode is told, as its server takes it. */
export interface OpencodeReply {
  url: '/permission/{requestID}/reply' | '/question/{requestID}/reply';
  body: { reply: 'once' | 'always' | 'reject'; message?: string } | { answers: string[][] };
}

/**
 * Turns the settled requests of a call into a reply. `null` if one was not answered: that is never consent, and
 * opencode goes on asking in its terminal.
 */
export function toReply(settled: readonly Settled[]): OpencodeReply | null {
  const [first] = settled;
  if (first === undefined || settled.some(({ status }) => status !== 'answered')) return null;
  if (first.kind === 'approval') return toPermissionReply(first);
  const answers = settled.flatMap((one) => (one.kind === 'question' ? [toLabels(one)] : []));
  return answers.length === settled.length ? { url: '/question/{requestID}/reply', body: { answers } } : null;
}

/** A reply that says no. It always has a text: without one, opencode ends the turn. */
export function toRejection(message: string): OpencodeReply {
  return { url: '/permission/{requestID}/reply', body: { reply: 'reject', message } };
}

function toPermissionReply({ request, answer, answeredBy }: InteractionOf<'approval'>): OpencodeReply | null {
  if (answer === undefined) return null;
  if (answer.decision === 'deny') {
    return toRejection(answer.message || `${answeredBy?.who ?? 'The person'} denied ${request.tool}.`);
  }
  // What an agent cannot do was refused before; should it come all the same, another input is no consent to this one.
  if (answer.updatedInput !== undefined) return toRejection('The person wants another input. Ask them which.');
  return { url: '/permission/{requestID}/reply', body: { reply: answer.remember === true ? 'always' : 'once' } };
}

function toLabels({ answer }: InteractionOf<'question'>): string[] {
  const { selected = [], text = '' } = answer ?? {};
  return selected.length > 0 && selected.join(', ') === text ? selected : [text];
}
