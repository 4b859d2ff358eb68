import { type Connector, type Inbound, type TestedConnector, testConnector } from 'beckon/testing/suites';

// What an author of a connector has in a repository of their own. The pack test runs it outside of ours, against the
// packed package.

type Shown = Parameters<Connector['show']>[0];

/** A board on a wall: one note a request, and what was said below them. */
class Board implements Connector {
  readonly name = 'board';
  readonly notes = new Map<string, string>();
  readonly said: string[] = [];
  inbound: Inbound | undefined;
  failures = 0;

  reaches(): boolean {
    return true;
  }

  async start(inbound: Inbound): Promise<void> {
    this.inbound = inbound;
  }

  async show({ id, request, metadata }: Shown): Promise<void> {
    this.#send();
    this.notes.set(id, JSON.stringify({ request, metadata }).replaceAll('\\n', ' '));
  }

  async settle({ id, status, answeredBy }: Shown): Promise<void> {
    this.#send();
    const note = this.notes.get(id);
    if (note !== undefined) this.notes.set(id, `${note} ${status} ${answeredBy?.who} ${answeredBy?.via}`);
  }

  async prompt(_chatId: string, text: string): Promise<void> {
    this.#send();
    this.said.push(text);
  }

  async stop(): Promise<void> {
    this.inbound = undefined;
  }

  #send(): void {
    if (this.failures <= 0) return;
    this.failures -= 1;
    throw new Error('The board is not there');
  }
}

function createTested(toDecision: (choice: string) => string): TestedConnector {
  const board = new Board();
  return {
    connector: board,
    chatId: 'wall',
    seen: () => [...board.notes.values(), ...board.said].join('\n'),
    choose: async ({ id, kind }, choice) => {
      const answer = kind === 'question' ? { selected: [choice] } : { decision: toDecision(choice) as 'allow' };
      await board.inbound?.answer(id, answer, 'ada');
    },
    write: async (text) => void (await board.inbound?.say('wall', text, 'ada')),
    failSends: (count) => {
      board.failures = count;
    },
    restart: async () => createTested(toDecision),
    leftovers: () => (board.inbound === undefined ? [] : [board.inbound]),
    dispose: async () => undefined,
  };
}

testConnector('that keeps the contract', async () => createTested((choice) => choice));
testConnector('that allows what was denied', async () => createTested((choice) => choice.replace('deny', 'allow')));
