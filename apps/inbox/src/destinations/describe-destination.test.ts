import type { PersonalDestination } from 'beckon/client';
import { describe, expect, test } from 'vitest';
import { describeProblem, describeTerms, toState } from './describe-destination.ts';

const PHONE: PersonalDestination = {
  id: 'dst_1',
  kind: 'ntfy',
  owner: 'ada',
  label: 'my phone',
  target: 'ntfy.sh',
  when: { after: 0, evenInSight: false },
  filter: {},
  content: 'link',
  isOn: true,
  createdAt: '2026-01-15T12:00:00.000Z',
  provenAt: '2026-01-15T12:01:00.000Z',
  waiting: 0,
  dead: 0,
};
const problem = { at: '2026-01-15T13:00:00.000Z', error: 'HTTP 503' };

function unproven(): PersonalDestination {
  const { provenAt: _, ...rest } = PHONE;
  return rest;
}

describe('the state of a destination', () => {
  test.each<[state: string, destination: PersonalDestination]>([
    ['on', PHONE],
    ['on', { ...PHONE, dead: 3 }],
    ['off', { ...PHONE, isOn: false, problem, pausedAt: problem.at }],
    ['failing', { ...PHONE, problem, waiting: 2 }],
    ['paused', { ...PHONE, problem, pausedAt: problem.at }],
    ['unproven', unproven()],
    ['unproven', { ...unproven(), isOn: false, problem }],
  ])('is %s', (state, destination) => {
    expect(toState(destination)).toBe(state);
  });
});

describe('what is wrong', () => {
  test('says who has to do something: nobody while Beckon tries again, the owner once it is refused', () => {
    expect(describeProblem({ ...PHONE, problem })).toBe(
      'The last attempt failed. HTTP 503. Beckon tries again by itself.',
    );
    expect(describeProblem({ ...PHONE, problem: { ...problem, error: 'Bad token!' }, pausedAt: problem.at })).toBe(
      'It refuses Beckon, so nothing is sent. Bad token! Repair that, then turn it on.',
    );
  });

  test('is nothing for what works, and counts what never arrived', () => {
    expect(describeProblem(PHONE)).toBeNull();
    expect(describeProblem(unproven())).toBeNull();
    expect(describeProblem({ ...PHONE, dead: 1 })).toBe('1 message never arrived.');
    expect(describeProblem({ ...PHONE, dead: 4 })).toBe('4 messages never arrived.');
  });

  test('keeps why one that was proven must be proven again', () => {
    const error = 'ada can no longer log in. Prove it again to use it.';
    expect(describeProblem({ ...unproven(), problem: { ...problem, error } })).toBe(error);
  });

  test('marks hidden characters of what a receiver says', () => {
    expect(describeProblem({ ...PHONE, problem: { ...problem, error: 'no\u202e way\nout' } })).toContain('[U+202E]');
  });
});

describe('the terms of a destination', () => {
  test('are at once, with a link, unless it says more', () => {
    expect(describeTerms(PHONE)).toEqual(['At once', 'A link only']);
  });

  test('are said whether they were typed here in minutes or in a terminal as text', () => {
    const when = {
      after: '90s',
      beforeExpiry: 3600,
      quiet: { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' },
      evenInSight: true,
    };
    expect(describeTerms({ ...PHONE, when, content: 'full' })).toEqual([
      'If it still waits after 1 min 30 s',
      'Again 1 h before it expires',
      'Quiet from 22:00 to 07:00 (Europe/Berlin)',
      'Even while the page is in sight',
      'Full request',
    ]);
  });

  test('have what it is told of, with nothing hidden in a name', () => {
    const filter = { chats: ['ops', 'te\u200bam'], projects: ['shop'], risk: 'notable' } as const;
    const terms = describeTerms({ ...PHONE, filter: { ...filter, chats: [...filter.chats], projects: ['shop'] } });
    expect(terms).toEqual([
      'At once',
      'Chats: ops, te[U+200B]am',
      'Projects: shop',
      'Only from “Notable” up',
      'A link only',
    ]);
  });

  test('of a webhook have no times, because it gets events as they come', () => {
    const webhook = { ...PHONE, kind: 'webhook', filter: { types: ['interaction.*'] }, content: 'headline' } as const;
    expect(describeTerms({ ...webhook, filter: { types: ['interaction.*'] } })).toEqual([
      'Events: interaction.*',
      'Headline',
    ]);
    expect(describeTerms({ ...PHONE, kind: 'webhook' })).toEqual(['All events', 'A link only']);
  });
});
