import type { PersonalDestination } from 'beckon/client';
import { RISK_NAMES, toVisibleLine } from 'beckon/presentation';
import { toMilliseconds } from 'beckon/protocol';
import { formatTook } from '../interactions/durations.ts';
import { texts } from './texts.ts';

/**
 * Whether something is told there. `failing`: Beckon tries again by itself. `paused`: the receiver refuses us, so
 * somebody has to turn it on again.
 */
export type DestinationState = 'unproven' | 'off' | 'paused' | 'failing' | 'on';

export function toState({ isOn, provenAt, problem, pausedAt }: PersonalDestination): DestinationState {
  if (provenAt === undefined) return 'unproven';
  if (!isOn) return 'off';
  if (pausedAt !== undefined) return 'paused';
  return problem === undefined ? 'on' : 'failing';
}

/** When, how much and of what somebody is told there, each in a few words. */
export function describeTerms({ kind, when, filter, content }: PersonalDestination): string[] {
  const { after, beforeExpiry, quiet, evenInSight } = when;
  const { terms } = texts;
  const whens =
    kind === 'webhook'
      ? filter.types === undefined
        ? [terms.allEvents]
        : []
      : [
          toMilliseconds(after) === 0 ? terms.atOnce : terms.after(toDuration(after)),
          ...(beforeExpiry === undefined ? [] : [terms.beforeExpiry(toDuration(beforeExpiry))]),
          ...(quiet === undefined ? [] : [terms.quiet(quiet.from, quiet.to, quiet.timeZone)]),
          ...(evenInSight ? [terms.evenInSight] : []),
        ];
  return [
    ...whens,
    ...toNames(terms.chats, filter.chats),
    ...toNames(terms.projects, filter.projects),
    ...toNames(terms.kinds, filter.kinds),
    ...toNames(terms.types, filter.types),
    ...(filter.risk === undefined ? [] : [terms.risk(RISK_NAMES[filter.risk])]),
    terms.content[content],
  ];
}

/** What is wrong, and what happens next. `null`: nothing is. */
export function describeProblem(destination: PersonalDestination): string | null {
  const { problem, dead } = destination;
  const error = problem === undefined ? '' : toSentence(problem.error);
  switch (toState(destination)) {
    case 'paused':
      return texts.problem.paused(error);
    case 'failing':
      return texts.problem.failing(error);
    case 'unproven':
      return error === '' ? null : error;
    case 'off':
    case 'on':
      return dead === 0 ? null : texts.problem.dead(dead);
  }
}

function toNames(say: (names: string) => string, names: readonly string[] | undefined): string[] {
  return names === undefined ? [] : [say(names.map((name) => toVisibleLine(name, 40, 'code')).join(', '))];
}

function toDuration(duration: number | string): string {
  return formatTook(toMilliseconds(duration));
}

// A receiver wrote it, or a library; it may be anything.
function toSentence(error: string): string {
  const line = toVisibleLine(error, 200);
  return /[.!?]$/.test(line) ? line : `${line}.`;
}
