import { beforeEach, expect, test } from 'vitest';
import { DecisionGuard, type Place } from './decision-guard.ts';

const ALLOW: Place = { x: 400, y: 300, isTouch: false };
const TAP: Place = { x: 200, y: 600, isTouch: true };
const ENTER: Place = { key: 'Enter' };

let guard: DecisionGuard;

beforeEach(() => {
  guard = new DecisionGuard();
  guard.show('a');
  guard.seen(0);
});

/** Presses, and releases 50 ms later. */
function press(place: Place, at: number) {
  const begun = guard.begin(place, at);
  guard.release(begun, at + 50);
  return begun;
}

/** The first is decided by a press at 1,000 that is released at 1,050; the next is in sight 100 ms later. */
function goOn(place: Place): void {
  expect(guard.decide('a', press(place, 1000))).toBeNull();
  guard.show('b');
  guard.seen(1150);
}

test('a press on what has been in sight for a moment decides it', () => {
  expect(guard.decide('a', press(ALLOW, 499))).toBe('early');
  expect(guard.decide('a', press(ALLOW, 500))).toBeNull();
});

test('a press decides once', () => {
  const once = press(ALLOW, 600);
  expect(guard.decide('a', once)).toBeNull();
  expect(guard.decide('a', once)).toBe('early');
});

test('what is not painted, and what is not in sight, is not decided', () => {
  guard.show('b');
  expect(guard.decide('b', press(ALLOW, 9000))).toBe('early');
  guard.seen(9000);
  expect(guard.decide('a', press(ALLOW, 9_900_000))).toBe('early');
  guard.show();
  expect(guard.decide('b', press(ALLOW, 99_900_000))).toBe('early');
});

test.each([
  ['a pointer', ALLOW],
  ['a finger', TAP],
  ['a key', ENTER],
])('%s that stays where it was needs a longer pause', (_, place) => {
  for (const at of [1160, 1300, 1700, 2200, 2549]) {
    goOn(place);
    expect(guard.decide('b', press(place, at))).toBe('early');
    guard = new DecisionGuard();
    guard.show('a');
    guard.seen(0);
  }
  goOn(place);
  expect(guard.decide('b', press(place, 2550))).toBeNull();
});

test('each further press there restarts the pause', () => {
  goOn(ALLOW);
  for (const at of [1300, 2000, 3000, 4400]) expect(guard.decide('b', press(ALLOW, at))).toBe('early');
  expect(guard.decide('b', press(ALLOW, 5950))).toBeNull();
});

test.each<[string, Place, Place]>([
  ['a pointer 24 px away', ALLOW, { x: 400, y: 324, isTouch: false }],
  ['a finger 48 px away', TAP, { x: 248, y: 600, isTouch: true }],
])('%s is at the same place', (_, place, near) => {
  goOn(place);
  expect(guard.decide('b', press(near, 1900))).toBe('early');
});

test.each<[string, Place, Place]>([
  ['a pointer at another place', ALLOW, { x: 400, y: 325, isTouch: false }],
  ['a finger at another place', TAP, { x: 249, y: 600, isTouch: true }],
  ['another key', ENTER, { key: ' ' }],
  ['a key after a pointer', ALLOW, ENTER],
  ['a pointer after a key', ENTER, ALLOW],
])('%s decides as soon as the view has been seen', (_, place, other) => {
  goOn(place);
  expect(guard.decide('b', press(other, 1649))).toBe('early');
  expect(guard.decide('b', press(other, 1710))).toBeNull();
});

test('a pointer that goes away and comes back decides as soon as the view has been seen', () => {
  goOn(ALLOW);
  guard.drift(410, 310);
  expect(guard.inertUntil()).toBe(2550);
  guard.drift(460, 300);
  expect(guard.inertUntil()).toBe(1650);
  expect(guard.decide('b', press(ALLOW, 1650))).toBeNull();
});

test('a mouse that is pushed does not end the pause of a finger or of a key', () => {
  for (const place of [TAP, ENTER]) {
    guard = new DecisionGuard();
    guard.show('a');
    guard.seen(0);
    goOn(place);
    guard.drift(0, 0);
    guard.drift(500, 500);
    expect(guard.decide('b', press(place, 2000))).toBe('early');
  }
});

test('a view that comes late must be seen for a second if the pointer waits at the same place', () => {
  expect(guard.decide('a', press(ALLOW, 1000))).toBeNull();
  guard.show('b');
  guard.seen(4000);
  expect(guard.inertUntil()).toBe(5000);
  expect(guard.decide('b', press(ALLOW, 4900))).toBe('early');
});

test('a press that began on another view decides nothing, however long it is held', () => {
  const held = guard.begin(ALLOW, 1000);
  guard.show('b');
  guard.seen(1100);
  guard.release(held, 90_000);
  expect(guard.decide('b', held)).toBe('early');
});

test('while a press from before is held, no other decides', () => {
  const held = guard.begin(ENTER, 1000);
  guard.show('b');
  guard.seen(1100);
  expect(guard.decide('b', press(ALLOW, 9000))).toBe('early');
  guard.release(held, 9100);
  expect(guard.decide('b', press({ key: 'Tab' }, 9200))).toBeNull();
});

test('held presses count as released once nothing reports releases', () => {
  guard.begin(ENTER, 1000);
  guard.show('b');
  guard.seen(1100);
  guard.releaseAll(2000);
  expect(guard.decide('b', press(ALLOW, 3000))).toBeNull();
});

test('keys that overlap, as when somebody types fast, do not hold each other up', () => {
  guard.begin({ key: 'k' }, 1000);
  expect(guard.decide('a', guard.begin(ENTER, 1030))).toBeNull();
});

test('a key that repeats without a beginning decides nothing', () => {
  expect(guard.decide('a', guard.begin(ENTER, 5000, true))).toBe('early');
});

test('what moved under the pointer is not pressed by it, but by a key', () => {
  guard.moved(5000);
  expect(guard.decide('a', press(ALLOW, 5299))).toBe('moved');
  expect(guard.decide('a', press(ENTER, 5299))).toBeNull();
  expect(guard.decide('a', press({ x: 1, y: 1, isTouch: false }, 5300))).toBeNull();
});

test('what was pressed too early, or has moved, looks so', () => {
  expect(guard.inertUntil()).toBe(500);
  expect([guard.isSeen(499), guard.isSeen(500)]).toEqual([false, true]);
  guard.moved(900);
  expect(guard.inertUntil()).toBe(1200);
});

test('the same view, shown again, has to be seen again', () => {
  guard.show('a');
  guard.seen(5000);
  expect(guard.decide('a', press(ALLOW, 5200))).toBe('early');
  // The person pressed it while it was there, so the next press needs no extra pause.
  expect(guard.decide('a', press(ALLOW, 5600))).toBeNull();
});

/** The first step is taken at 1,000, and the second is painted at 1,100. */
function offer(place: Place): void {
  expect(guard.prepare('a', press(place, 1000))).toBeNull();
  guard.offered(1100);
}

const ANYWAY: Place = { x: 60, y: 240, isTouch: false };

test('two steps at two places decide', () => {
  offer(ALLOW);
  expect(guard.confirmableAt()).toBe(1600);
  expect(guard.confirm('a', press(ANYWAY, 1600))).toBeNull();
});

test('the first step is judged like a decision', () => {
  expect(guard.prepare('a', press(ALLOW, 499))).toBe('early');
  guard.moved(900);
  expect(guard.prepare('a', press(ALLOW, 1000))).toBe('moved');
  expect(guard.prepare('b', press(ALLOW, 5000))).toBe('early');
  expect(guard.confirm('a', press(ANYWAY, 9000))).toBe('early');
});

test('the second step has to be painted and seen, and no press counts for both', () => {
  const first = press(ALLOW, 1000);
  expect(guard.prepare('a', first)).toBeNull();
  expect(guard.confirm('a', press(ANYWAY, 9000))).toBe('early');
  guard.offered(9000);
  guard.offered(9900);
  expect(guard.confirm('a', press(ANYWAY, 9499))).toBe('early');
  expect(guard.confirm('a', first)).toBe('early');
  expect(guard.confirm('a', press(ANYWAY, 9500))).toBeNull();
  expect(guard.confirm('a', press(ANYWAY, 12_000))).toBe('early');
});

test.each([
  ['a pointer', ALLOW, { x: 410, y: 310, isTouch: false }],
  ['a finger', TAP, { x: 230, y: 630, isTouch: true }],
  ['a key', { key: 'y' }, { key: 'y' }],
])('%s at the same place is never the second step, however late', (_, place, again) => {
  offer(place);
  for (const at of [1600, 3000, 60_000]) expect(guard.confirm('a', press(again, at))).toBe('same');
  expect(guard.confirm('a', press(ANYWAY, 61_000))).toBeNull();
});

test('the same key counts after another one, which has moved the focus', () => {
  offer(ENTER);
  expect(guard.confirm('a', press(ENTER, 1700))).toBe('same');
  press({ key: 'Tab' }, 1800);
  expect(guard.confirm('a', press(ENTER, 1900))).toBeNull();
});

test('a pointer that was elsewhere in between is still at the same place', () => {
  offer(ALLOW);
  press(ANYWAY, 1200);
  expect(guard.confirm('a', press(ALLOW, 5000))).toBe('same');
});

test('a press without a place counts after a pause', () => {
  const voice: Place = { key: '' };
  offer(voice);
  expect(guard.confirm('a', press(voice, 2549))).toBe('same');
  expect(guard.confirm('a', press(voice, 2550))).toBeNull();
});

test.each([
  ['it is taken back', () => guard.withdraw()],
  ['another request comes into sight', () => guard.show('b')],
  ['the same comes into sight again', () => guard.show('a')],
])('the second step is over when %s', (_, end) => {
  offer(ALLOW);
  end();
  guard.seen(1200);
  guard.offered(1200);
  expect(guard.confirmableAt()).toBe(Number.POSITIVE_INFINITY);
  expect(guard.confirm('a', press(ANYWAY, 5000))).toBe('early');
});

test('while a press that began before is still held, no first step counts', () => {
  offer(ALLOW);
  guard.begin(ANYWAY, 1200);
  guard.show('a');
  guard.seen(1300);
  expect(guard.prepare('a', guard.begin({ key: 'y' }, 3000))).toBe('early');
});

test('of several requests in sight, each is decided by its own press', () => {
  guard.show('a', 'b');
  guard.seen(0);
  const press = guard.begin({ x: 10, y: 10, isTouch: false }, 600);
  guard.release(press, 650);
  expect(guard.decide('c', press)).toBe('early');
  expect(guard.decide('b', press)).toBeNull();
  // A press decides once, whichever it decides.
  expect(guard.decide('a', press)).toBe('early');
});

test('when one of several requests leaves, the others must be seen again', () => {
  guard.show('a', 'b');
  guard.seen(0);
  const press = guard.begin({ x: 10, y: 10, isTouch: false }, 600);
  guard.release(press, 650);
  expect(guard.decide('a', press)).toBeNull();
  guard.show('b');
  guard.seen(700);
  const again = guard.begin({ x: 10, y: 10, isTouch: false }, 1300);
  expect(guard.decide('b', again)).toBe('early');
});

test('the first step for one request does not prepare another', () => {
  guard.show('a', 'b');
  guard.seen(0);
  const first = guard.begin({ x: 10, y: 10, isTouch: false }, 600);
  guard.release(first, 650);
  expect(guard.prepare('a', first)).toBeNull();
  guard.offered(700);
  const second = guard.begin({ x: 200, y: 200, isTouch: false }, 1300);
  expect(guard.confirm('b', second)).toBe('early');
  expect(guard.confirm('a', second)).toBeNull();
});
