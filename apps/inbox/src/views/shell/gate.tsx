import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Me } from 'beckon/client';
import { Button, keepDrafts } from 'beckon/react/parts';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { Answers } from '../../live/answers.ts';
import { AppContext } from '../../live/app-context.ts';
import { attend } from '../../live/attend.ts';
import type { Client } from '../../live/client.ts';
import { Inbox } from '../../live/inbox.ts';
import { keys } from '../../live/keys.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { texts as uiTexts } from '../../ui/texts.ts';
import { Shell } from './shell.tsx';
import { texts } from './texts.ts';

const LoginView = lazy(() => import('../login/login-view.tsx').then((module) => ({ default: module.LoginView })));

/** How often to retry while the page has nothing to show. */
const RETRY_MS = 3000;

/** The parts of the page that outlive a login. */
export interface Parts {
  client: Client;
  queries: QueryClient;
  /** The inbox of the current login, which hears about lost connections. */
  live: { inbox: Inbox | null };
}

/** Shows the page to logged-in people, and everybody else how to log in. */
export function Gate({ parts }: { parts: Parts }) {
  const [path] = useLocation();
  const isLogin = path === '/login';
  const me = useQuery({
    queryKey: keys.me,
    queryFn: () => parts.client.account.me(),
    // A login link replaces the current login.
    enabled: !isLogin,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.status === 'error' ? RETRY_MS : false),
  });
  // The next person to log in must not find somebody else's drafts.
  const isLoggedOut = isLogin || me.data === null;
  useEffect(() => {
    if (isLoggedOut) keepDrafts(() => false);
  }, [isLoggedOut]);
  // A retry after a failure counts as pending again; the message stays until one succeeds.
  const isOffline = me.isError || (me.isPending && me.errorUpdateCount > 0);
  if (!isLogin && me.isPending && !isOffline) return null;
  if (!isLogin && isOffline) {
    return (
      <main>
        <EmptyState isPage icon="offline" title={texts.offline.title}>
          <p role="status">{texts.offline.text}</p>
          <Button onClick={() => void me.refetch()}>{uiTexts.tryAgain}</Button>
        </EmptyState>
      </main>
    );
  }
  if (isLogin || me.data == null) {
    return (
      <Suspense>
        <LoginView account={parts.client.account} />
      </Suspense>
    );
  }
  return <LoggedIn key={me.data.who} parts={parts} me={me.data} />;
}

function LoggedIn({ parts, me }: { parts: Parts; me: Me }) {
  const queries = useQueryClient();
  const { device = '' } = me;
  const [app, setApp] = useState<{ inbox: Inbox; answers: Answers } | null>(null);
  useEffect(() => {
    const { beckon } = parts.client;
    const inbox = new Inbox({ beckon, device, queries, onLoggedOut: () => queries.setQueryData(keys.me, null) });
    parts.live.inbox = inbox;
    inbox.start();
    const leave = attend(device);
    setApp({ inbox, answers: new Answers({ beckon, inbox }) });
    return () => {
      leave();
      inbox.stop();
      parts.live.inbox = null;
      // The next person to log in must see nothing of this one.
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== keys.me[0] });
    };
  }, [parts, queries, device]);
  if (app === null) return null;
  return (
    <AppContext value={{ ...parts.client, ...app, me }}>
      <Shell />
    </AppContext>
  );
}
