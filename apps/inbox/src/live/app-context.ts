import type { Me } from 'beckon/client';
import { createContext, use } from 'react';
import type { Answers } from './answers.ts';
import type { Client } from './client.ts';
import type { Inbox } from './inbox.ts';

/** What every view of a logged-in person can use. */
export interface App extends Client {
  inbox: Inbox;
  answers: Answers;
  me: Me;
}

export const AppContext = createContext<App | null>(null);

/** The app around a view. Works only inside `AppContext`. */
export function useApp(): App {
  const app = use(AppContext);
  if (app === null) throw new Error('Expected to be rendered inside AppContext.');
  return app;
}
