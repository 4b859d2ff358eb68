// A callback has two methods, and anything with them works with ai(). Here, a queue plays the person.
import assert from 'node:assert/strict';
import { ai, type Callback, type CallbackEvent } from 'beckon';

class QueueCallback implements Callback {
  readonly #events: CallbackEvent[];

  constructor(events: CallbackEvent[]) {
    this.#events = events;
  }

  /** Resolves with what the person did. */
  async awaitInteraction(_timeout: number | string = 300): Promise<CallbackEvent> {
    const event = this.#events.shift();
    if (event === undefined) throw new DOMException('Nobody is there any more.', 'TimeoutError');
    return event;
  }

  /** The address that the page sends it to. */
  endpoint(): string {
    return 'queue://local';
  }
}

async function* agent(query: string): AsyncGenerator<string> {
  yield `You asked: ${query}`;
}

const callback = new QueueCallback([{ action: 'click', data: { button: 'More' } }]);
const urls: (string | undefined)[] = [];
let last = '';
for await (const event of ai(agent, { callback })('Hello')) {
  if (typeof event === 'string') last = event;
  else if (event.type === 'component') urls.push(event.data.callback_url);
}
assert.deepEqual(urls, ['queue://local', 'queue://local']);
assert.match(last, /Hello[\s\S]*click \{"button":"More"\}/);
console.log('Two rounds over a transport of our own.');
