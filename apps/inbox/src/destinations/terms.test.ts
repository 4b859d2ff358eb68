import type { PersonalDestination } from 'beckon/client';
import { describe, expect, test } from 'vitest';
import { type TermFields, toTermChange, toTermFields } from './terms.ts';

const PHONE: PersonalDestination = {
  id: 'dst_1',
  kind: 'ntfy',
  owner: 'ada',
  label: 'my phone',
  target: 'ntfy.sh',
  when: { after: '30s', beforeExpiry: 600, evenInSight: false },
  filter: { chats: ['ops'] },
  content: 'headline',
  isOn: true,
  createdAt: '2026-01-15T12:00:00.000Z',
  waiting: 0,
  dead: 0,
};
const FIELDS = toTermFields(PHONE, 'Europe/Berlin');

function change(fields: Partial<TermFields>) {
  return toTermChange({ ...FIELDS, ...fields });
}

describe('the form for the terms of a destination', () => {
  test('shows what it has, and a value to begin with for what it has not', () => {
    expect(FIELDS).toEqual({
      label: 'my phone',
      isLater: true,
      afterMinutes: '0.5',
      isAgain: true,
      againMinutes: '10',
      isQuiet: false,
      quietFrom: '22:00',
      quietTo: '07:00',
      timeZone: 'Europe/Berlin',
      evenInSight: false,
      content: 'headline',
    });
  });

  test('changes nothing that was not touched, and leaves the filter alone', () => {
    expect(change({})).toEqual({
      change: { label: 'my phone', content: 'headline', when: { after: 30, beforeExpiry: 600, evenInSight: false } },
    });
  });

  test('keeps the time zone of quiet hours that were made elsewhere', () => {
    const quiet = { from: '23:30', to: '06:00', timeZone: 'America/New_York' };
    const fields = toTermFields({ ...PHONE, when: { ...PHONE.when, quiet } }, 'Europe/Berlin');
    expect(toTermChange(fields)).toMatchObject({ change: { when: { quiet } } });
  });

  test('takes away what is switched off', () => {
    expect(change({ isLater: false, isAgain: false, afterMinutes: 'nonsense' })).toEqual({
      change: { label: 'my phone', content: 'headline', when: { after: 0, evenInSight: false } },
    });
  });

  test.each(['', ' ', '0', '-5', 'soon', '1e99', '5 minutes', 'Infinity', 'NaN'])(
    'does not take %j for a number of minutes',
    (text) => {
      expect(change({ afterMinutes: text })).toEqual({ problems: { afterMinutes: expect.any(String) } });
      expect(change({ againMinutes: text })).toEqual({ problems: { againMinutes: expect.any(String) } });
    },
  );

  test('takes a comma for a point', () => {
    expect(change({ afterMinutes: '1,5' })).toMatchObject({ change: { when: { after: 90 } } });
  });

  test('wants two different times for quiet hours, and a name', () => {
    expect(change({ isQuiet: true, quietFrom: '07:00' })).toEqual({ problems: { quietTo: expect.any(String) } });
    expect(change({ isQuiet: true, quietTo: '' })).toEqual({ problems: { quietTo: expect.any(String) } });
    expect(change({ label: '  ' })).toEqual({ problems: { label: expect.any(String) } });
  });
});
