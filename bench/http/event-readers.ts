import { join } from 'node:path';
import { compareSamples, type Section } from '../figure.ts';
import { Connection } from './connection.ts';
import type { Effort } from './effort.ts';
import { startServer } from './server-process.ts';
import { ASK, createBareSubject, createBeckonSubject, type Subject } from './subjects.ts';

const WARM_UP_EVENTS = 10;

/** Readers of the event stream, and how long until the last of them has what just happened. */
export async function benchEventReaders(folder: string, { readers, events }: Effort): Promise<Section> {
  const beckon = createBeckonSubject(await startServer('beckon', [join(folder, 'events.db')]));
  const bare = createBareSubject(await startServer('bare'));
  const samples = { beckon: [] as number[], bare: [] as number[] };
  try {
    const toBeckon = await Audience.gather(beckon, readers);
    const toBare = await Audience.gather(bare, readers);
    for (let event = 0; event < WARM_UP_EVENTS + events; event += 1) {
      samples.beckon.push(await toBeckon.publish());
      samples.bare.push(await toBare.publish());
    }
    for (const audience of [toBeckon, toBare]) audience.leave();
  } finally {
    await Promise.all([beckon.server.stop(), bare.server.stop()]);
  }
  return {
    name: `${readers.toLocaleString('en')} readers of the event stream (SSE)`,
    figures: [
      compareSamples({
        name: 'until the last has the event',
        unit: 'ms',
        samples: samples.beckon.slice(WARM_UP_EVENTS),
        beside: { name: 'bare node:http', samples: samples.bare.slice(WARM_UP_EVENTS) },
      }),
    ],
    notes: [
      'From sending an ask until every reader has its event, ask on disk included. The bare server writes to all at once.',
    ],
  };
}

/** Readers on a connection each, and one connection more that makes something happen. */
class Audience {
  readonly #subject: Subject;
  readonly #control: Connection;
  readonly #readers: readonly Connection[];
  #missing = 0;
  #onAll: () => void = () => undefined;

  private constructor(subject: Subject, control: Connection, readers: readonly Connection[]) {
    this.#subject = subject;
    this.#control = control;
    this.#readers = readers;
  }

  /** Opens the streams, and returns when each of them has begun. */
  static async gather(subject: Subject, count: number): Promise<Audience> {
    const { url, token } = subject.server;
    const readers = await Connection.openMany(url, count);
    const audience = new Audience(subject, await Connection.open(url), readers);
    const haveBegun = audience.#expectAll();
    for (const reader of readers) {
      reader.stream({ method: 'GET', path: subject.eventsPath, token }, (text) => {
        // Every stream begins with the pause before a reconnect; an event fits into one packet.
        if (text.includes('retry: ') || text.includes('data: ')) audience.#count();
      });
    }
    await haveBegun;
    return audience;
  }

  /** Makes one event happen. Returns the milliseconds until every reader has it. */
  async publish(): Promise<number> {
    const startedAt = performance.now();
    const haveAll = this.#expectAll().then(() => performance.now());
    const { publishPath: path, server } = this.#subject;
    await this.#control.send({ method: 'POST', path, token: server.token, body: ASK });
    return (await haveAll) - startedAt;
  }

  leave(): void {
    for (const connection of [this.#control, ...this.#readers]) connection.close();
  }

  #expectAll(): Promise<void> {
    this.#missing = this.#readers.length;
    return new Promise((resolve) => {
      this.#onAll = resolve;
    });
  }

  #count(): void {
    this.#missing -= 1;
    if (this.#missing === 0) this.#onAll();
  }
}
