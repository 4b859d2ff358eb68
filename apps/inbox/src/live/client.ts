import { type Account, type Beckon, connectAccount, connectBeckon, connectHistory, type History } from 'beckon/client';

/** The clients of the daemon. The login cookie identifies the person. */
export interface Client {
  beckon: Beckon;
  history: History;
  account: Account;
}

/** Connects to the daemon that served the page. `onError` is called when the event stream loses it. */
export function connectClient(url: string, onError: () => void): Client {
  return {
    beckon: connectBeckon(url, { onError }),
    history: connectHistory(url),
    // The page should soon say that it cannot be opened. It retries by itself.
    account: connectAccount(url, { retryFor: 3 }),
  };
}
