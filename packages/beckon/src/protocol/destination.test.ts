import { describe, expect, test } from 'vitest';
import { DestinationChange, DestinationDraft } from './destination.ts';
import { parse } from './parse.ts';

function parseDraft(draft: unknown) {
  return parse(DestinationDraft, draft, { what: 'destination' });
}

const SUBSCRIPTION = { endpoint: 'https://push.example/abc', keys: { p256dh: 'p'.repeat(87), auth: 'a'.repeat(22) } };

describe('a draft', () => {
  test('is told at once, out of sight, of everything, unless it says otherwise', () => {
    expect(parseDraft({ kind: 'email', to: 'ada@example.com' })).toEqual({
      kind: 'email',
      to: 'ada@example.com',
      when: { after: 0, evenInSight: false },
      filter: {},
    });
    expect(parseDraft({ kind: 'ntfy', when: {} })).toMatchObject({ server: 'https://ntfy.sh', when: { after: 0 } });
  });

  test.each([
    { kind: 'push', subscription: SUBSCRIPTION },
    { kind: 'ntfy', server: 'http://ntfy.internal:8080', topic: 'a_B-9', token: 'tk_x' },
    { kind: 'webhook', url: 'https://ci.example/hook?x=1', filter: { types: ['interaction.*'] } },
    {
      kind: 'ntfy',
      label: 'phone',
      content: 'full',
      when: { after: '5m', beforeExpiry: 60, quiet: { from: '22:00', to: '07:00', timeZone: 'Asia/Kathmandu' } },
      filter: { chats: ['a'], projects: ['b'], kinds: ['approval'], risk: 'notable' },
    },
  ])('%j is one', (draft) => {
    expect(parseDraft(draft)).toMatchObject(draft);
  });

  test.each([
    [{ kind: 'fax' }, 'kind'],
    [{ kind: 'email', to: 'ada' }, 'an e-mail address'],
    [{ kind: 'email', to: 'ada@example.com\nbcc: eve@example.com' }, 'an e-mail address'],
    [{ kind: 'email', to: `${'a'.repeat(260)}@example.com` }, 'an e-mail address'],
    [{ kind: 'webhook', url: 'ftp://ci.example' }, 'an http or https URL'],
    [{ kind: 'webhook', url: `https://ci.example/${'x'.repeat(2000)}` }, 'an http or https URL'],
    [{ kind: 'webhook' }, 'url'],
    [{ kind: 'ntfy', topic: 'a b' }, 'letters, digits'],
    [{ kind: 'ntfy', topic: 'a'.repeat(65) }, 'letters, digits'],
    [{ kind: 'ntfy', token: 'a b' }, 'a token without spaces'],
    [{ kind: 'push', subscription: { ...SUBSCRIPTION, keys: { p256dh: 'x', auth: 'y' } } }, 'a key in base64url'],
    [{ kind: 'ntfy', when: { after: '5 parsecs' } }, 'seconds from 0'],
    [{ kind: 'ntfy', when: { quiet: { from: '24:00', to: '07:00', timeZone: 'UTC' } } }, 'a time of day'],
    [{ kind: 'ntfy', when: { quiet: { from: '07:00', to: '07:00', timeZone: 'UTC' } } }, 'two different times'],
    [{ kind: 'ntfy', when: { quiet: { from: '22:00', to: '07:00', timeZone: 'Mars/Olympus' } } }, 'a time zone'],
    [{ kind: 'ntfy', when: { quiet: { from: '22:00', to: '07:00', timeZone: '' } } }, 'a time zone'],
    [{ kind: 'ntfy', filter: { chats: [] } }, '1 to 50 names'],
    [{ kind: 'ntfy', filter: { chats: Array(51).fill('x') } }, '1 to 50 names'],
    [{ kind: 'ntfy', filter: { color: 'red' } }, 'color'],
    [{ kind: 'ntfy', isProven: true }, 'isProven'],
  ])('%j is none', (draft, why) => {
    expect(() => parseDraft(draft)).toThrow(why);
  });
});

test('a change names only what it changes', () => {
  expect(parse(DestinationChange, { isOn: false }, { what: 'change' })).toEqual({ isOn: false });
  expect(() => parse(DestinationChange, { owner: 'eve' }, { what: 'change' })).toThrow('owner');
});
