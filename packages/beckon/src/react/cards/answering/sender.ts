import { Store } from '../state/store.ts';

/** What was sent from this page, and how it stands. */
export type Sent<What, Result> =
  | ({ state: 'sending' } & What)
  | ({ state: 'failed'; error: unknown } & What)
  | ({ state: 'done'; result: Result } & What);

/** The steps of sending something, in this order. */
interface Steps<Result> {
  /** Throws if the press behind the current event may not send it. */
  check: () => void;
  /** Done before it is sent. If it fails, nothing is sent. */
  first?: (() => Promise<void>) | undefined;
  post: () => Promise<Result>;
}

/**
 * Sends what people decided, and remembers how it stands, by the id of the request or of the call: somebody who opens
 * another request meanwhile finds a failure when they come back.
 */
export class Sender<What extends object, Result> {
  readonly sendings = new Store<ReadonlyMap<string, Sent<What, Result>>>(new Map());
  readonly #underWay = new Map<string, Promise<Result>>();

  /**
   * The one guard against sending twice: while something is under way, every further call gets its result, and `check`
   * is not asked. Rejects if a step fails; then it is not known to have arrived.
   */
  async send(id: string, what: What, { check, first, post }: Steps<Result>): Promise<Result> {
    const underWay = this.#underWay.get(id);
    if (underWay !== undefined) return underWay;
    check();
    const sending = this.#send(id, what, first, post).finally(() => this.#underWay.delete(id));
    this.#underWay.set(id, sending);
    return sending;
  }

  get isSending(): boolean {
    return this.#underWay.size > 0;
  }

  async #send(id: string, what: What, first: Steps<Result>['first'], post: () => Promise<Result>): Promise<Result> {
    const before = this.sendings.get().get(id);
    this.#put(id, { state: 'sending', ...what });
    try {
      await first?.();
    } catch (error) {
      this.#put(id, before);
      throw error;
    }
    try {
      const result = await post();
      this.#put(id, { state: 'done', result, ...what });
      return result;
    } catch (error) {
      this.#put(id, { state: 'failed', error, ...what });
      throw error;
    }
  }

  #put(id: string, sent: Sent<What, Result> | undefined): void {
    const next = new Map(this.sendings.get());
    if (sent === undefined) next.delete(id);
    else next.set(id, sent);
    this.sendings.set(next);
  }
}
