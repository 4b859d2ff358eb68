import { type Caller, mayDo, mayRule } from '../core/access.ts';
import { type Clock, toIso } from '../core/clock.ts';
import type { Store } from '../core/store.ts';
import type { TimePolicies } from '../core/time-policy.ts';
import { isDestinationId } from '../core/told.ts';
import { BeckonError } from '../protocol/errors.ts';
import { parse } from '../protocol/parse.ts';
import { PolicyBody, PolicyQuery, type PolicyScope, type ScopedPolicy } from '../protocol/time-policies-http.ts';

/** The time policies of a store, for one caller. Whoever may make a rule for a chat or project may set its policy. */
export class LocalTimePolicies implements TimePolicies {
  readonly #store: Pick<Store, 'policies' | 'tokens' | 'devices' | 'destinations'>;
  readonly #clock: Clock;
  readonly #caller: Caller;

  constructor({ store, clock, caller }: { store: Store; clock: Clock; caller: Caller }) {
    this.#store = store;
    this.#clock = clock;
    this.#caller = caller;
  }

  async list(): Promise<ScopedPolicy[]> {
    const all = await this.#store.policies.list();
    const { chatId } = this.#caller;
    return chatId === undefined ? all : all.filter((policy) => policy.chatId === chatId);
  }

  async set(policy: PolicyBody): Promise<ScopedPolicy> {
    const parsed = parse(PolicyBody, policy, { what: 'time policy' });
    this.#checkRight(parsed);
    for (const { to } of parsed.escalate ?? []) await this.#checkKnown(to);
    const kept = { ...parsed, setBy: this.#caller.name, setAt: toIso(this.#clock.now()) };
    await this.#store.policies.set(kept);
    return kept;
  }

  async remove(scope: PolicyScope): Promise<boolean> {
    const parsed = parse(PolicyQuery, scope, { what: 'scope' });
    this.#checkRight(parsed);
    return this.#store.policies.remove({ scope: parsed, by: this.#caller.name, at: toIso(this.#clock.now()) });
  }

  #checkRight({ chatId, project }: PolicyScope): void {
    const scope = { ...(chatId !== undefined && { chatId }), ...(project !== undefined && { project }) };
    switch (mayRule(this.#caller, scope, false)) {
      case 'yes':
        return;
      case 'never':
        throw new BeckonError('forbidden', 'You may not set time policies. Ask an admin.');
      case 'not in this chat':
        throw new BeckonError(
          'forbidden',
          `You can set the time policy of the chat ${JSON.stringify(this.#caller.chatId)} only.`,
        );
      case 'too wide':
        throw new BeckonError(
          'forbidden',
          'Only an admin can set a time policy for everybody. In an ask, "remindAfter" and "escalate" are free.',
        );
    }
  }

  /** A name that nobody has would be noticed only when a request waits and nobody is told. */
  async #checkKnown(to: string): Promise<void> {
    if (isDestinationId(to)) {
      if ((await this.#store.destinations.find(to)) !== null) return;
      throw new BeckonError('invalid_input', `There is no destination ${JSON.stringify(to)}. See: beckon notify list`);
    }
    const callers = [...(await this.#store.tokens.list()), ...(await this.#store.devices.list())];
    if (callers.some((caller) => caller.name === to && mayDo(caller, 'answer'))) return;
    throw new BeckonError(
      'invalid_input',
      `Nobody who may answer is named ${JSON.stringify(to)}. Name a person who has a token or a login, see: ` +
        'beckon token list; or give the id of a destination.',
    );
  }
}
