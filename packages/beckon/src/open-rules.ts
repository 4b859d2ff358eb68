import type { Clock } from './core/clock.ts';
import type { Rules } from './core/rules.ts';
import { openStore } from './open-store.ts';
import { NonEmptyText } from './protocol/json.ts';
import { parse } from './protocol/parse.ts';
import { LocalRules } from './runtime/local-rules.ts';
import { newRuleId } from './runtime/new-id.ts';
import { systemClock } from './runtime/system-clock.ts';

/** Settings of rules in this process. */
export interface OpenRulesOptions {
  /** The store of `openBeckon`, or of a daemon. A rule counts for every process on it from its commit on. */
  store: string;
  /** Who answers for the rules that are made: the name that the requests show which they decide. */
  who: string;
  /** Default: the clock of this machine. A test passes the `FakeClock` of `beckon/testing`. */
  clock?: Clock;
}

/** The rules of a store, with every right. `close` lets go of the store. */
export type OpenedRules = Rules & { close(): Promise<void> };

/** Opens the store, migrates it if needed, and gives its rules. */
export async function openRules(options: OpenRulesOptions): Promise<OpenedRules> {
  const who = parse(NonEmptyText, options?.who, { what: 'who' });
  const store = await openStore(options.store);
  const rules = new LocalRules({
    store,
    clock: options.clock ?? systemClock,
    newId: newRuleId,
    caller: { name: who, role: 'admin' },
  });
  return Object.assign(rules, { close: () => store.close() });
}
