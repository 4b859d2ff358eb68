import { type Account, type Beckon, connectAccount, connectBeckon, connectHistory, type History } from 'beckon/client';

/** The three doors to the daemon. The login cookie says who comes. */
export interface Client {
  beckon: Beckon;
  history: History;
  account: Account;
}

/** Connects to the daemon that served the page. `onError` hears when the stream of events loses it. */
export function connectClient(origin: string, onError: () => void): Client {
  return {
    beckon: connectBeckon(origin, { onError }),
    history: connectHistory(origin),
    // A page that cannot be opened is to say so soon; it looks again by itself.
    account: connectAccount(origin, { retryFor: 3 }),
  };
}
