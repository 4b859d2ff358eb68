import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Me } from 'beckon/client';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { Parts } from '../../app.tsx';
import { keepDrafts } from '../../kinds/parts/use-draft.ts';
import { Answers } from '../../live/answers.ts';
import { AppContext } from '../../live/app-context.ts';
import { Inbox } from '../../live/inbox.ts';
import { keys } from '../../live/keys.ts';
import { texts } from '../../texts.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Shell } from './shell.tsx';

const LoginView = lazy(() => import('../login/login-view.tsx').then((module) => ({ default: module.LoginView })));

/** How often to look whether Beckon is back, while the page has nothing to show. */
const RETRY_MS = 3000;

/** Lets in who is logged in, and shows everybody else how to. */
export function Gate({ parts }: { parts: Parts }) {
  const [path] = useLocation();
  const isLogin = path === '/login';
  const me = useQuery({
    queryKey: keys.me,
    queryFn: () => parts.client.account.me(),
    // A link logs in whoever opens it, whoever was there before.
    enabled: !isLogin,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.status === 'error' ? RETRY_MS : false),
  });
  // Whoever logs in next finds nothing that somebody else has half written.
  const isLoggedOut = isLogin || me.data === null;
  useEffect(() => {
    if (isLoggedOut) keepDrafts(() => false);
  }, [isLoggedOut]);
  // A try after a failure counts as pending again; what is shown stays until it has succeeded.
  const isOffline = me.isError || (me.isPending && me.errorUpdateCount > 0);
  if (!isLogin && me.isPending && !isOffline) return null;
  if (!isLogin && isOffline) {
    return (
      <main>
        <EmptyState isPage icon="offline" title={texts.offline.title}>
          <p role="status">{texts.offline.text}</p>
          <Button onClick={() => void me.refetch()}>{texts.tryAgain}</Button>
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
    setApp({ inbox, answers: new Answers({ beckon, inbox }) });
    return () => {
      inbox.stop();
      parts.live.inbox = null;
      // Whoever logs in next sees nothing of who was here before.
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
