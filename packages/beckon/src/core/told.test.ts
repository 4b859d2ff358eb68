import { describe, expect, test } from 'vitest';
import type { WayIn } from './notice-outbox.ts';
import type { DestinationRecord } from './notify.ts';
import { findTold } from './told.ts';

const phone: DestinationRecord = {
  id: 'dst_phone',
  kind: 'ntfy',
  owner: 'bob',
  label: 'phone',
  target: 'ntfy.example',
  when: { after: 0, evenInSight: false },
  filter: { chats: ['another'] },
  content: 'link',
  isOn: true,
  createdAt: '2026-01-01T00:00:00.000Z',
  provenAt: '2026-01-01T00:00:00.000Z',
  secret: {},
};
const mail: DestinationRecord = { ...phone, id: 'dst_mail', kind: 'email' };
const webhook: DestinationRecord = { ...phone, id: 'dst_hook', kind: 'webhook', owner: 'root' };
const bob: WayIn = { name: 'bob', role: 'person' };
const root: WayIn = { name: 'root', role: 'admin' };

function find(to: string, destinations: DestinationRecord[], waysIn: WayIn[]): string[] | string {
  const { told, problem } = findTold(to, 'ops', { destinations, waysIn });
  return problem ?? told.map(({ id }) => id);
}

describe('a request that is passed on to a person', () => {
  test('reaches all their destinations, whatever they want to hear of otherwise, and nobody else', () => {
    expect(find('bob', [phone, mail, { ...phone, id: 'dst_ada', owner: 'ada' }], [bob])).toEqual([
      'dst_phone',
      'dst_mail',
    ]);
  });

  test('reaches none of their webhooks, and nothing that is off, not proven or for another chat', () => {
    const { provenAt: _, ...unproven } = phone;
    const others = [webhook, { ...phone, isOn: false }, unproven, { ...phone, chatId: 'another' }];
    const owned = others.map((record) => ({ ...record, owner: 'bob' }));
    expect(find('bob', owned, [{ ...bob, role: 'admin' }])).toMatch(/no destination that is on and proven/);
  });

  test('reaches nobody who cannot come in, or may not answer in its chat', () => {
    expect(find('bob', [phone], [])).toMatch(/Nobody can come in/);
    expect(find('bob', [phone], [{ ...bob, chatId: 'another' }])).toMatch(/may not answer/);
    expect(find('bob', [phone], [{ ...bob, role: 'agent' }])).toMatch(/may not answer/);
    expect(find('bob', [phone], [{ ...bob, chatId: 'ops' }])).toEqual(['dst_phone']);
  });
});

describe('a request that is passed on to a destination', () => {
  test('reaches that one alone', () => {
    expect(find('dst_mail', [phone, mail], [bob])).toEqual(['dst_mail']);
    expect(find('dst_hook', [phone, webhook], [bob, root])).toEqual(['dst_hook']);
  });

  test('reaches none that is unknown, off or not proven', () => {
    const { provenAt: _, ...unproven } = phone;
    expect(find('dst_none', [phone], [bob])).toMatch(/no such destination/);
    expect(find('dst_phone', [{ ...phone, isOn: false }], [bob])).toMatch(/is off/);
    expect(find('dst_phone', [unproven], [bob])).toMatch(/is off/);
  });

  test('reaches none whose owner may not answer it', () => {
    expect(find('dst_phone', [phone], [{ ...bob, chatId: 'another' }])).toMatch(/may not answer/);
    expect(find('dst_phone', [phone], [{ ...bob, role: 'agent' }])).toMatch(/may not answer/);
    expect(find('dst_hook', [webhook], [{ ...root, chatId: 'ops' }])).toMatch(/may not answer/);
  });
});
