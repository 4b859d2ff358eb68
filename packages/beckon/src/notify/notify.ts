import { Planner } from './planner.ts';
import type { NotifyTools } from './tools.ts';
import { NotifyWorker } from './worker.ts';

/** Tells people and programs what concerns them: plans it from the log, and sends what is due. */
export class Notify {
  readonly #planner: Planner;
  readonly #worker: NotifyWorker;
  readonly #tools: NotifyTools;

  constructor(tools: NotifyTools, options: { newId: () => string; onError: (error: unknown) => void }) {
    this.#tools = tools;
    this.#worker = new NotifyWorker(tools, options.newId);
    this.#planner = new Planner({
      store: tools.store,
      clock: tools.clock,
      onPlanned: () => this.#worker.wake(),
      onError: options.onError,
    });
  }

  async start(): Promise<void> {
    await this.#worker.start();
    this.#planner.start();
  }

  /** Plans what is in the log, and sends everything that is due. */
  async tick(): Promise<void> {
    await this.#planner.tick();
    await this.#worker.tick();
  }

  /** Says that a destination was added or changed. What waits for it is due as its settings say now. */
  async refresh(destination?: string): Promise<void> {
    if (destination !== undefined) await this.#planner.replan(destination);
    this.#planner.look();
    this.#worker.wake();
  }

  /** Says that somebody left the page, or came back: what waits for them may be due now. */
  async refreshOwner(owner: string): Promise<void> {
    for (const { id } of await this.#tools.store.destinations.list({ owner })) await this.#planner.replan(id);
    this.#worker.wake();
  }

  /** Waits a moment for what is on its way. The rest is sent after the next start. */
  async stop(): Promise<void> {
    await this.#planner.stop();
    await this.#worker.stop();
    await Promise.all(Object.values(this.#tools.senders).map((sender) => sender.close()));
  }
}
