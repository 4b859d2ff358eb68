import { keepDrafts, Loading, useKey } from 'beckon/react/parts';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Redirect, Route, Switch, useLocation, useRoute, useSearch } from 'wouter';
import { useApp } from '../../live/app-context.ts';
import { usePending } from '../../live/use-pending.ts';
import { useWaitingCount } from '../../live/use-waiting-count.ts';
import { useNotifications } from '../../notify/use-notifications.ts';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import { loadGroupFrame } from '../interaction/lazy-group.ts';
import { loadLogPanel, loadRequestBody } from '../interaction/lazy-parts.ts';
import { PendingView } from '../pending/pending-view.tsx';
import { ConnectionNote } from './connection-note.tsx';
import { Navigation } from './navigation.tsx';
import { NotFound } from './not-found.tsx';
import { texts } from './texts.ts';
import { useRisksOfPending } from './use-risks-of-pending.ts';

const HistoryView = lazy(() => import('../history/history-view.tsx').then((m) => ({ default: m.HistoryView })));
const RulesView = lazy(() => import('../rules/rules-view.tsx').then((m) => ({ default: m.RulesView })));
const SessionsView = lazy(() => import('../session/sessions-view.tsx').then((m) => ({ default: m.SessionsView })));
const StatisticsView = lazy(() =>
  import('../statistics/statistics-view.tsx').then((m) => ({ default: m.StatisticsView })),
);
const DevicesView = lazy(() => import('../devices/devices-view.tsx').then((m) => ({ default: m.DevicesView })));
const MachinesView = lazy(() => import('../machines/machines-view.tsx').then((m) => ({ default: m.MachinesView })));
const ConnectView = lazy(() => import('../machines/connect-view.tsx').then((m) => ({ default: m.ConnectView })));
const ProveView = lazy(() => import('../prove/prove-view.tsx').then((m) => ({ default: m.ProveView })));
const NotificationsView = lazy(() =>
  import('../settings/notifications-view.tsx').then((m) => ({ default: m.NotificationsView })),
);
const SettingsDialog = lazy(() =>
  import('../settings/settings-dialog.tsx').then((m) => ({ default: m.SettingsDialog })),
);
const ShortcutsDialog = lazy(() => import('./shortcuts-dialog.tsx').then((m) => ({ default: m.ShortcutsDialog })));

/** After this long, the first view has loaded. */
const PRELOAD_MS = 1500;

/** The view stays while a dialog of its own has an address. */
const DEVICES = '/devices';

type OpenDialog = 'settings' | 'shortcuts' | null;

/** The frame around every view: navigation, connection, dialogs. */
export function Shell() {
  const [path, navigate] = useLocation();
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const [isOpened, opened] = useRoute('/i/:id');
  // One element for both addresses, so opening a request leaves the list in place.
  const isPendingView = isOpened || path === '/';
  const waiting = useWaitingCount();
  const search = useSearch();
  const isRequestOpen = isOpened || (path === '/history' && new URLSearchParams(search).has('open'));
  useRisksOfPending();
  useNotifications();
  useLeaveWarning();
  useTidyDrafts();
  usePreload();
  useEffect(() => {
    document.title = texts.tabTitle(waiting);
  }, [waiting]);
  useKey('?', () => setDialog('shortcuts'));
  useKey(',', () => setDialog('settings'));
  useKey('g i', () => navigate('/'));
  useKey('g h', () => navigate('/history'));
  useKey('g r', () => navigate('/rules'));
  useKey('g s', () => navigate('/sessions'));
  useKey('g t', () => navigate('/statistics'));
  useKey('g d', () => navigate('/devices'));
  return (
    <div className="flex h-dvh flex-col overflow-hidden lg:flex-row">
      <a
        href="#content"
        className="sr-only z-50 rounded-md bg-accent px-3 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {texts.skipToContent}
      </a>
      <Navigation
        path={path}
        pending={waiting}
        isRequestOpen={isRequestOpen}
        onSettings={() => setDialog('settings')}
        onShortcuts={() => setDialog('shortcuts')}
      />
      <main id="content" tabIndex={-1} className="order-1 min-h-0 min-w-0 flex-1 outline-none lg:order-2">
        <ErrorBoundary key={isPendingView ? '/' : path.startsWith(DEVICES) ? DEVICES : path}>
          <Suspense fallback={<Loading />}>
            {isPendingView && <PendingView id={opened?.id} />}
            <Switch>
              <Route path="/">{null}</Route>
              <Route path="/i/:id">{null}</Route>
              <Route path="/history" component={HistoryView} />
              <Route path="/rules">
                <RulesView />
              </Route>
              <Route path="/rules/:id">{({ id }) => <RulesView id={id} />}</Route>
              <Route path="/sessions">
                <SessionsView />
              </Route>
              <Route path="/sessions/:id">{({ id }) => <SessionsView id={id} />}</Route>
              <Route path="/statistics" component={StatisticsView} />
              <Route path="/devices/:step?">{({ step }) => <DevicesView isAdding={step === 'add'} />}</Route>
              <Route path="/settings/notifications" component={NotificationsView} />
              <Route path="/machines" component={MachinesView} />
              <Route path="/connect" component={ConnectView} />
              <Route path="/prove" component={ProveView} />
              <Route path="/login">
                <Redirect to="/" replace />
              </Route>
              <Route component={NotFound} />
            </Switch>
          </Suspense>
        </ErrorBoundary>
      </main>
      <ConnectionNote />
      <Suspense>
        {dialog === 'settings' && <SettingsDialog onClose={() => setDialog(null)} />}
        {dialog === 'shortcuts' && <ShortcutsDialog onClose={() => setDialog(null)} />}
      </Suspense>
    </div>
  );
}

// Loads the code of a request's view in advance, so requests open even without a connection.
function usePreload(): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const load of [loadRequestBody, loadGroupFrame, loadLogPanel]) load().catch(() => undefined);
    }, PRELOAD_MS);
    return () => clearTimeout(timer);
  }, []);
}

// Closing the tab while an answer is under way could lose it, so the browser asks first.
function useLeaveWarning(): void {
  const { answers } = useApp();
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent): void => {
      if (answers.isSending) event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [answers]);
}

// Nobody needs the draft of a settled request.
function useTidyDrafts(): void {
  const { items, isComplete } = usePending();
  useEffect(() => {
    if (isComplete) keepDrafts((id) => items.has(id));
  }, [items, isComplete]);
}
