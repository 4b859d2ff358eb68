import { type Caller, type DeviceCaller, mayDo } from '../core/access.ts';
import { toIso } from '../core/clock.ts';
import type { Destinations } from '../core/destinations.ts';
import type { DeliveryRecord } from '../core/notice-outbox.ts';
import type { DestinationRecord, NoticeSender } from '../core/notify.ts';
import { DestinationChange, DestinationDraft, type PersonalDestination } from '../protocol/destination.ts';
import type {
  AddedDestination,
  Delivery,
  ReplayTarget,
  SecretReply,
  TestReply,
} from '../protocol/destinations-http.ts';
import { BeckonError, toDestinationNotFoundError } from '../protocol/errors.ts';
import { DEFAULT_PAGE_ITEMS } from '../protocol/list.ts';
import { parse } from '../protocol/parse.ts';
import { newWebhookSecret, toParts, toPublic, toRecord } from './destination-parts.ts';
import type { GuardedFetch } from './guarded-fetch.ts';
import { toEventLane, toTopic } from './notice-names.ts';
import type { Notify } from './notify.ts';
import { newCode, withCode, withoutProblem, withProof, withTest } from './proof.ts';
import { readWebhookSecret, validSecrets } from './senders/webhook.ts';
import type { NotifyTools } from './tools.ts';

/** How long a page that said it is in sight counts as in sight. It says so again every 20 seconds. */
const IN_SIGHT_MS = 45_000;
/** How long the old secret of a webhook signs as well. */
const OLD_SECRET_MS = 24 * 3_600_000;
const TEST_TTL_SECONDS = 900;

/** What destinations need besides what telling anybody does. */
export interface DestinationTools extends NotifyTools {
  notify: Pick<Notify, 'refresh' | 'refreshOwner'>;
  guarded: Pick<GuardedFetch, 'check'>;
  newId: () => string;
  /** The public key for browsers, if there is a sender for them. */
  pushKey?: (() => Promise<string>) | undefined;
}

/** The destinations of a store, for one caller. */
export class LocalDestinations implements Destinations {
  readonly #tools: DestinationTools;
  readonly #caller: Caller | DeviceCaller;

  constructor(tools: DestinationTools, caller: Caller | DeviceCaller) {
    this.#tools = tools;
    this.#caller = caller;
  }

  async list(): Promise<PersonalDestination[]> {
    const { destinations } = this.#tools.store;
    const isAll = mayDo(this.#caller, 'administer');
    const records = await destinations.list(isAll ? {} : { owner: this.#caller.name });
    const counts = await destinations.counts();
    return records.filter((record) => this.#maySee(record)).map((record) => toPublic(record, counts.get(record.id)));
  }

  async add(given: DestinationDraft): Promise<AddedDestination> {
    const { store, guarded, newId, clock, notify } = this.#tools;
    const draft = parse(DestinationDraft, given, { what: 'destination' });
    if (draft.kind === 'webhook') this.#refuseUnlessAdmin();
    this.#findSender(draft.kind);
    refuseTypes(draft.kind, draft.filter.types);
    const parts = toParts(draft);
    if (parts.url !== undefined) await guarded.check(parts.url);
    const at = toIso(clock.now());
    const label = draft.label ?? (draft.kind === 'push' ? await this.#findBrowser() : undefined);
    const record = await store.destinations.add(
      toRecord({ ...draft, label }, parts, { id: newId(), caller: this.#caller, at }),
    );
    await notify.refresh();
    return { destination: await this.#toPublic(record), ...parts.shown };
  }

  async edit(id: string, given: DestinationChange): Promise<PersonalDestination> {
    const { notify } = this.#tools;
    const change = parse(DestinationChange, given, { what: 'change' });
    const record = await this.#find(id);
    refuseTypes(record.kind, change.filter?.types);
    const changed = await this.#change(id, (before) => {
      const kept = change.isOn === true ? withoutProblem(before) : before;
      return { ...kept, ...change } as DestinationRecord; // A field that is not given is not there.
    });
    await notify.refresh(id);
    return this.#toPublic(changed);
  }

  async remove(id: string): Promise<boolean> {
    const record = await this.#tools.store.destinations.find(id);
    if (record === null || !this.#maySee(record)) return false;
    return this.#tools.store.destinations.remove(id);
  }

  async test(id: string): Promise<TestReply> {
    const { clock, toLink, notify } = this.#tools;
    const { kind, provenAt } = await this.#find(id);
    const sender = this.#findSender(kind);
    const isWebhook = kind === 'webhook';
    const code = provenAt === undefined && !isWebhook ? newCode() : undefined;
    let isTooMany = false;
    const destination = await this.#change(id, (record) => {
      const tested = withTest(record, clock.now(), code);
      isTooMany = tested === null;
      return tested ?? record;
    });
    if (isTooMany) throw toTooManyTests();
    const notice = {
      destination,
      topic: toTopic(`test of ${id}`),
      id: `ntc_${id.slice('dst_'.length)}_test_${clock.now()}`,
      url: toLink('/'),
      ttlSeconds: TEST_TTL_SECONDS,
    };
    const said = code === undefined ? ({ what: 'test' } as const) : ({ what: 'proof', code } as const);
    const result = await sender.send({ ...notice, ...said }, AbortSignal.timeout(TEST_TTL_SECONDS * 1000));
    const needsCode = code !== undefined;
    if (result.result !== 'sent') {
      const { result: what, error } = result;
      if (what === 'gone') await this.#tools.store.destinations.remove(id);
      return { result: what, error, needsCode, destination: await this.#toPublic(destination) };
    }
    const after = await this.#change(id, (record) =>
      isWebhook && record.provenAt === undefined ? withProof(record, clock.now()) : withoutProblem(record),
    );
    await notify.refresh(id);
    return { result: 'sent', needsCode, destination: await this.#toPublic(after) };
  }

  async prove(id: string, code: string): Promise<PersonalDestination> {
    const { clock, notify } = this.#tools;
    const { provenAt } = await this.#find(id);
    let result: ReturnType<typeof withCode>['result'] = 'old';
    const record = await this.#change(id, (before) => {
      if (before.provenAt !== undefined) return before;
      const after = withCode(before, code, clock.now());
      result = after.result;
      return after.record;
    });
    if (provenAt === undefined && record.provenAt === undefined) throw toCodeError(result, id);
    await notify.refresh();
    return this.#toPublic(record);
  }

  async rotateSecret(id: string): Promise<SecretReply> {
    const { clock } = this.#tools;
    const { kind } = await this.#find(id);
    if (kind !== 'webhook') throw new BeckonError('invalid_input', 'Only a webhook has a secret to sign with.');
    const secret = newWebhookSecret();
    const now = clock.now();
    const oldUntil = toIso(now + OLD_SECRET_MS);
    await this.#change(id, (record) => {
      const { url, secrets } = readWebhookSecret(record);
      const [newest] = validSecrets(secrets, now).toReversed();
      const old = newest === undefined ? [] : [{ secret: newest.secret, until: oldUntil }];
      return { ...record, secret: { url, secrets: [...old, { secret }] } };
    });
    return { secret, oldUntil };
  }

  async deliveries(
    id: string,
    { before, limit = DEFAULT_PAGE_ITEMS }: { before?: number | undefined; limit?: number | undefined } = {},
  ): Promise<Delivery[]> {
    await this.#find(id);
    return (await this.#tools.store.notices.deliveries({ destination: id, before, limit })).map(toDelivery);
  }

  async replay(id: string, target: ReplayTarget): Promise<number> {
    const { store, clock, notify } = this.#tools;
    const { kind } = await this.#find(id);
    const at = clock.now();
    if (!('dead' in target) && kind !== 'webhook') {
      throw new BeckonError('invalid_input', 'Only a webhook gets events again. For people there are dead letters.');
    }
    const count =
      'dead' in target
        ? await store.notices.reviveDead({ destination: id, at })
        : 'after' in target
          ? await store.notices.replayAfter({ destination: id, after: target.after, at })
          : await this.#replayOne(id, target.seq);
    await notify.refresh();
    return count;
  }

  async pushKey(): Promise<string> {
    const { pushKey } = this.#tools;
    if (pushKey === undefined) throw toUnsupported('push');
    return pushKey();
  }

  async see(inSight: boolean): Promise<void> {
    const { store, clock, notify } = this.#tools;
    if (!('device' in this.#caller)) {
      throw new BeckonError('forbidden', 'Only the page of a logged-in browser can be in sight.');
    }
    const { device: id, name } = this.#caller;
    await store.devices.see({ id, until: toIso(clock.now() + (inSight ? IN_SIGHT_MS : 0)) });
    // Whoever leaves the page hears of what still waits.
    if (!inSight) await notify.refreshOwner(name);
  }

  /** What the caller's browser says it is. */
  async #findBrowser(): Promise<string | undefined> {
    if (!('device' in this.#caller)) return undefined;
    return (await this.#tools.store.devices.find(this.#caller.device))?.label;
  }

  async #replayOne(id: string, seq: number): Promise<number> {
    const { store, clock } = this.#tools;
    const [event] = await store.notices.events([seq]);
    if (event === undefined) throw new BeckonError('invalid_input', `The log has no event with the number ${seq}.`);
    const at = clock.now();
    const entry = { seq, destination: id, lane: toEventLane(event), what: 'event', dueAt: at } as const;
    return (await store.notices.replayOne({ destination: id, entry, at })) ? 1 : 0;
  }

  async #find(id: string): Promise<DestinationRecord> {
    const record = await this.#tools.store.destinations.find(id);
    if (record === null || !this.#maySee(record)) throw toDestinationNotFoundError(id);
    if (record.kind === 'webhook') this.#refuseUnlessAdmin();
    return record;
  }

  async #change(id: string, change: (record: DestinationRecord) => DestinationRecord): Promise<DestinationRecord> {
    const record = await this.#tools.store.destinations.change(id, change);
    if (record === null) throw toDestinationNotFoundError(id);
    return record;
  }

  async #toPublic(record: DestinationRecord): Promise<PersonalDestination> {
    return toPublic(record, (await this.#tools.store.destinations.counts()).get(record.id));
  }

  #findSender(kind: DestinationRecord['kind']): NoticeSender {
    const sender = this.#tools.senders[kind];
    if (sender === undefined) throw toUnsupported(kind);
    return sender;
  }

  #maySee({ owner, chatId }: DestinationRecord): boolean {
    const caller = this.#caller;
    return mayDo(caller, 'administer') || (owner === caller.name && chatId === caller.chatId);
  }

  #refuseUnlessAdmin(): void {
    if (mayDo(this.#caller, 'administer')) return;
    throw new BeckonError('forbidden', 'Webhooks are told everything, so they need an admin.');
  }
}

function toDelivery({ at, dueAt, ...delivery }: DeliveryRecord): Delivery {
  return { ...delivery, at: toIso(at), ...(dueAt !== undefined && { dueAt: toIso(dueAt) }) };
}

function refuseTypes(kind: DestinationRecord['kind'], types: readonly string[] | undefined): void {
  if (types === undefined || kind === 'webhook') return;
  throw new BeckonError('invalid_input', 'Only a webhook chooses types of events. People are told of requests.');
}

function toUnsupported(kind: DestinationRecord['kind']): BeckonError {
  return new BeckonError(
    'destination_unsupported',
    `This Beckon cannot send to destinations of the kind ${JSON.stringify(kind)}. See docs/notify.md for what it needs.`,
  );
}

function toTooManyTests(): BeckonError {
  return new BeckonError('too_many_requests', 'Too many tests were sent to this destination. Try again in 10 minutes.');
}

function toCodeError(result: 'proven' | 'wrong' | 'old', id: string): BeckonError {
  return new BeckonError(
    'invalid_input',
    result === 'wrong'
      ? 'This code is wrong. Look again at what the destination got.'
      : `No code that was sent counts any more. Send a new one with: beckon notify test ${id}`,
  );
}
