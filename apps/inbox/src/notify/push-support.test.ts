import { expect, test } from 'vitest';
import { type BrowserFacts, type PushSupport, toSupport } from './push-support.ts';

const DESKTOP: BrowserFacts = {
  isSecure: true,
  hasPush: true,
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0.0.0',
  touchPoints: 0,
  isInstalled: false,
  permission: 'default',
};
const IPHONE: BrowserFacts = {
  ...DESKTOP,
  hasPush: false,
  userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1',
  touchPoints: 5,
  permission: 'missing',
};
const MAC = { ...DESKTOP, userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15' };

test.each<[string, BrowserFacts, PushSupport]>([
  ['a desktop that was not asked', DESKTOP, 'ready'],
  ['one that was allowed', { ...DESKTOP, permission: 'granted' }, 'ready'],
  ['one that was refused', { ...DESKTOP, permission: 'denied' }, 'blocked'],
  ['one without a push service', { ...DESKTOP, hasPush: false }, 'missing'],
  ['one without notifications', { ...DESKTOP, permission: 'missing' }, 'missing'],
  ['a page over plain http', { ...DESKTOP, isSecure: false, permission: 'denied' }, 'insecure'],
  ['an iPhone over plain http', { ...IPHONE, isSecure: false }, 'insecure'],
  ['an iPhone in its browser', IPHONE, 'install'],
  [
    'an iPhone with the page on its home screen',
    { ...DESKTOP, userAgent: IPHONE.userAgent, isInstalled: true },
    'ready',
  ],
  ['an iPhone that is too old', { ...IPHONE, isInstalled: true }, 'missing'],
  ['an iPad, which calls itself a Mac', { ...MAC, hasPush: false, touchPoints: 5 }, 'install'],
  ['a Mac', MAC, 'ready'],
])('%s: %#', (_, facts, support) => {
  expect(toSupport(facts)).toBe(support);
});
