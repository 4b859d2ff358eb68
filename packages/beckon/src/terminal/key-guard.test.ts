import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { KeyGuard, type KeyUse } from './key-guard.ts';

let guard: KeyGuard;
/** The keys that counted. */
let passed: string[];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  guard = new KeyGuard();
  passed = [];
});
afterEach(() => {
  vi.useRealTimers();
});

const wait = (ms: number): void => void vi.advanceTimersByTime(ms);

function press(...names: string[]): void {
  for (const name of names) {
    guard.take({ name, isCtrl: false }, (as) => passed.push(as === 'key' ? name : 'space'));
  }
}

/** Puts a view on the screen that the person has looked at. */
function show(use: KeyUse = {}): void {
  guard.begin(use);
  wait(400);
}

describe('a view that has been there for a moment', () => {
  test('takes keys, and a deciding one as soon as it is clear that it came alone', () => {
    show();
    press('down');
    wait(60);
    press('return');
    expect(passed).toEqual(['down']);
    wait(120);
    expect(passed).toEqual(['down', 'return']);
  });

  test('scrolls with a key that is held', () => {
    show();
    for (let times = 0; times < 10; times += 1) {
      press('down');
      wait(30);
    }
    expect(passed).toHaveLength(10);
  });

  test.for([
    [30, 500],
    [33, 250],
    [40, 660],
    [92, 400],
  ])('does nothing for an Enter that is held and repeats every %d ms after %d', ([everyMs, delayMs]) => {
    show();
    guard.take({ name: 'return', isCtrl: false }, () => guard.begin({ decides: ['return'] }));
    wait(delayMs ?? 0);
    for (let times = 0; times < 50; times += 1) {
      press('return');
      wait(everyMs ?? 0);
    }
    wait(1000);
    expect(passed).toEqual([]);
    press('return');
    wait(120);
    expect(passed).toEqual(['return']);
  });

  test('does nothing for an Enter that repeated once and was released then', () => {
    show();
    guard.take({ name: 'return', isCtrl: false }, () => guard.begin());
    wait(660);
    press('return');
    wait(1000);
    expect(passed).toEqual([]);
  });

  test.for([
    [['return', 'return', 'return']],
    [['2', 'return', '1', 'return']],
    [['down', 'return']],
    [['return', 'y']],
  ])('decides nothing for %j at once', ([names]) => {
    show();
    press(...(names ?? []));
    wait(1000);
    expect(passed).not.toContain('return');
  });

  test('takes another key after Enter for one that was typed too early for what comes then', () => {
    show();
    press('return');
    wait(60);
    press('y');
    expect(passed).toEqual(['return']);
  });
});

describe('a view that has just come', () => {
  test.for(['return', 'down', '2', 'y', 'space', 'q', 'a'])('drops %s, until the keys have rested', (name) => {
    guard.begin();
    wait(399);
    press(name);
    for (let times = 0; times < 5; times += 1) {
      wait(399);
      press('down');
      press('return');
    }
    expect(passed).toEqual([]);
    wait(700);
    press('down');
    wait(60);
    press('return');
    wait(120);
    expect(passed).toEqual(['down', 'return']);
  });

  test('lets go of an Enter that waited for the one before', () => {
    show();
    press('return');
    guard.begin();
    wait(500);
    expect(passed).toEqual([]);
  });

  test('can always be left', () => {
    guard.begin();
    press('return', 'escape');
    guard.take({ name: 'c', isCtrl: true }, () => passed.push('ctrl-c'));
    expect(passed).toEqual(['escape', 'ctrl-c']);
  });

  test('decides by y and n as by Enter, where they decide', () => {
    guard.begin({ decides: ['return', 'enter', 'y', 'n'] });
    press('y');
    wait(500);
    press('y', 'y');
    wait(1000);
    expect(passed).toEqual([]);
    press('n');
    wait(120);
    expect(passed).toEqual(['n']);
  });
});

describe('a field', () => {
  test('takes pasted text, with a space where a line ends, and does not send it', () => {
    show({ typing: 'first' });
    press('a', 'b', 'return', 'c', 'return');
    wait(1000);
    expect(passed.join(' ')).toBe('a b space c space');
    press('return');
    wait(120);
    expect(passed.at(-1)).toBe('return');
  });

  test('takes fast typing, and the Enter after it', () => {
    show({ typing: 'first' });
    for (const name of ['y', 'e', 's', 'return']) {
      press(name);
      wait(50);
    }
    wait(120);
    expect(passed).toEqual(['y', 'e', 's', 'return']);
  });

  test('drops what was typed before it was there, also what follows at once', () => {
    guard.begin({ typing: 'first' });
    press('2', 'return', '1', 'return');
    wait(149);
    press('x');
    wait(30);
    press('y');
    wait(1000);
    expect(passed).toEqual([]);
  });

  test('is not sent by who types through its coming, until they have looked at it', () => {
    guard.begin({ typing: 'first' });
    for (const name of 'never do this'.split('')) {
      press(name);
      wait(80);
    }
    press('return');
    wait(500);
    expect(passed).not.toContain('return');
    press('return');
    wait(120);
    expect(passed).toContain('return');
  });

  test('that follows another takes what is typed at once, but no Enter', () => {
    guard.begin({ typing: 'next' });
    press('a');
    wait(60);
    press('return');
    wait(200);
    expect(passed).toEqual(['a']);
  });
});
