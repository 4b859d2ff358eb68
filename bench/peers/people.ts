import { setTimeout as pause } from 'node:timers/promises';
import { Connection } from '../http/connection.ts';

const CLICK = JSON.stringify({ action: 'click', data: { button: 'Deep Dive', id: 'card-123' } });

/** Servers accept new connections a little later than the system does. */
const ACCEPT_MS = 200;

/** People outside the agents' process: each has a keep-alive connection and posts the next answer that is due. */
export class People {
  readonly #url: string;
  readonly #onFault: (error: unknown) => void;
  readonly #idle: Connection[] = [];
  readonly #due: string[] = [];
  #count = 0;

  constructor(url: string, onFault: (error: unknown) => void) {
    this.#url = url;
    this.#onFault = onFault;
  }

  /** Lets more come, until there are so many. */
  async gather(count: number): Promise<void> {
    if (count <= this.#count) return;
    this.#idle.push(...(await Connection.openMany(this.#url, count - this.#count)));
    this.#count = count;
    await pause(ACCEPT_MS);
  }

  /** Answers at `path` as soon as one of them has time. */
  answer(path: string): void {
    this.#due.push(path);
    const connection = this.#idle.pop();
    if (connection !== undefined) this.#work(connection).catch(this.#onFault);
  }

  async #work(connection: Connection): Promise<void> {
    for (let path = this.#due.shift(); path !== undefined; path = this.#due.shift())
      await connection.send({ method: 'POST', path, body: CLICK });
    this.#idle.push(connection);
  }
}
