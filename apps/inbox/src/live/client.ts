import { type Account, type Beckon, connectAccount, connectBeckon, connectHistory, type History } from 'beckon/client';

/** The three clients of the daemon. The login cookie identifies the person. */
export interface Client {
  beckon: Beckon;
  history: History;
  account: Account;
}

/** Connects to the daemon that served the page. `onError` is called when the event stream loses it. */
export function connectClient(origin: string, onError: () => void): Client {
  return {
    beckon: connectBeckon(origin, { onError }),
    history: connectHistory(origin),
    // The page should soon say that it cannot be opened. It retries by itself.
    account: connectAccount(origin, { retryFor: 3 }),
  };
}
