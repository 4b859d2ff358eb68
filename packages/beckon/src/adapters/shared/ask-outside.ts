import type { Asked, Beckon } from '../../core/beckon.ts';
import { requestGroup } from '../../core/request.ts';
import type { Duration } from '../../protocol/duration.ts';
import type { AskInput, Kind, Settled } from '../../protocol/interaction.ts';

/** The way to Beckon of an adapter that runs inside its agent's process. */
export interface Outside {
  /** The Beckon to ask, looked up each time; `null` if there is none. `retryFor`: how long its calls are repeated. */
  open(options: { retryFor: Duration }): Beckon | null;
  /** Notes what waits, so that it is ended if this process dies. The returned function forgets it. */
  keep(ids: readonly string[]): () => void;
  /** Gives an id that nobody has. */
  newId(): string;
}

/** Requests that wait in Beckon while their agent asks in its own terminal as well. */
export interface OutsideWait<K extends Kind = Kind> {
  /** The settled requests; `null` if Beckon was not there, or the wait was ended. It never rejects. */
  settled: Promise<readonly Settled<K>[] | null>;
  /** Takes the requests back, because they were settled elsewhere. Resolves when Beckon knows. */
  end(reason: string): Promise<void>;
}

/** People may answer in the agent's terminal while Beckon is away; it hears of that when it is back. */
const TAKE_BACK_FOR = '1h';

/** Asks the requests of one call together. It tries once: an agent without Beckon goes on as if it had none. */
export function askOutside<K extends Kind>(outside: Outside, inputs: readonly AskInput<K>[]): OutsideWait<K> {
  const ending = new AbortController();
  const settled = run();
  return {
    settled,
    end: async (reason) => {
      ending.abort(reason);
      await settled;
    },
  };

  async function run(): Promise<readonly Settled<K>[] | null> {
    let asked: readonly Asked<K>[] = [];
    const notes: (() => void)[] = [];
    const keep = (requests: readonly { id: string }[]): void =>
      void notes.push(outside.keep(requests.map(({ id }) => id)));
    const forget = (): void => notes.forEach((drop) => drop());
    const onAsked = (all: readonly Asked<K>[]): void => {
      asked = all;
      // An earlier request with the same key has another id.
      keep(all);
    };
    try {
      const beckon = outside.open({ retryFor: 0 });
      if (beckon === null) return null;
      const named = inputs.map((input) => ({ ...input, id: outside.newId() }));
      // Before it is asked: this process may be killed in the moment after.
      keep(named);
      const settledAll = await requestGroup(beckon, named, { signal: ending.signal, keep: true, onAsked });
      forget();
      return settledAll;
    } catch {
      if (ending.signal.aborted) await takeBack(asked, String(ending.signal.reason)).then(forget, () => undefined);
      else forget();
      return null;
    }
  }

  async function takeBack(asked: readonly Asked<K>[], reason: string): Promise<void> {
    const beckon = outside.open({ retryFor: TAKE_BACK_FOR });
    for (const { id } of asked) await beckon?.supersede(id, reason);
  }
}
