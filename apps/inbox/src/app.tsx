import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { Router } from 'wouter';
import { connectClient } from './live/client.ts';
import { isLoggedOut } from './live/is-logged-out.ts';
import { keys } from './live/keys.ts';
import { findBasePath, findOwnUrl } from './state/own-address.ts';
import { Announcer, AnnouncerRegion } from './ui/announcer.tsx';
import { ErrorBoundary } from './ui/error-boundary.tsx';
import { ToastRegion, Toasts } from './ui/toasts.tsx';
import { UiContext } from './ui/ui-context.ts';
import { Gate, type Parts } from './views/shell/gate.tsx';

export function App() {
  const [parts] = useState(createParts);
  const [ui] = useState(() => ({ toasts: new Toasts(), announcer: new Announcer() }));
  return (
    <ErrorBoundary>
      <QueryClientProvider client={parts.queries}>
        <UiContext value={ui}>
          <Router base={findBasePath()}>
            <Gate parts={parts} />
          </Router>
          <ToastRegion toasts={ui.toasts} />
          <AnnouncerRegion announcer={ui.announcer} />
        </UiContext>
      </QueryClientProvider>
    </ErrorBoundary>
  );
}

function createParts(): Parts {
  const live: Parts['live'] = { inbox: null };
  const client = connectClient(findOwnUrl(), () => live.inbox?.onError());
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (isLoggedOut(error)) queries.setQueryData(keys.me, null);
      },
    }),
    defaultOptions: {
      // The client retries by itself, and events report every change.
      queries: {
        retry: false,
        staleTime: 60_000,
        networkMode: 'always',
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  return { client, queries, live };
}
