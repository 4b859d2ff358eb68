import { useQuery } from '@tanstack/react-query';
import { toUserCode } from 'beckon/protocol';
import { Button, buttonClasses, Loading, Notice } from 'beckon/react/parts';
import { useEffect, useEffectEvent, useState } from 'react';
import { Link } from 'wouter';
import { keys } from '../../live/keys.ts';
import { findBasePath } from '../../state/own-address.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ViewHeader } from '../../ui/view-header.tsx';
import { CodeForm } from './code-form.tsx';
import { MachineDecision, type Outcome } from './machine-decision.tsx';
import { toMachineMessage } from './machine-message.ts';
import { texts } from './texts.ts';
import { useMachines } from './use-machines.ts';

/** The code that is looked at. `round` tells two tries with the same code apart. */
interface Entered {
  code: string;
  isByLink: boolean;
  round: number;
}

/** Lets a machine in: by the code that its terminal shows, typed here or carried by a link. */
export function ConnectView() {
  const machines = useMachines();
  const [entered, setEntered] = useState<Entered | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const login = useQuery({
    queryKey: keys.machineLogin(entered?.code, entered?.round),
    queryFn: () => machines.find(entered?.code ?? ''),
    enabled: entered !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const enter = (code: string, isByLink: boolean): void => {
    setOutcome(null);
    setEntered((before) => ({ code, isByLink, round: (before?.round ?? 0) + 1 }));
  };
  const readLink = useEffectEvent(() => {
    const code = toUserCode(location.hash.slice(1));
    // The code must leave the address, and with it the browser's history.
    if (location.hash !== '') window.history.replaceState(null, '', `${findBasePath()}/connect`);
    if (code !== null) enter(code, true);
  });
  // Opening a link while this page is open changes only the fragment.
  useEffect(() => {
    readLink();
    addEventListener('hashchange', readLink);
    return () => removeEventListener('hashchange', readLink);
  }, []);

  if (outcome !== null) {
    return (
      <Frame>
        <Done
          outcome={outcome}
          onAnother={() => {
            setOutcome(null);
            setEntered(null);
          }}
        />
      </Frame>
    );
  }
  if (entered !== null && login.data != null) {
    return (
      <div className="flex h-full flex-col bg-surface">
        <ViewHeader title={texts.enter.title} />
        <MachineDecision
          key={`${login.data.id} ${entered.round}`}
          login={login.data}
          isByLink={entered.isByLink}
          onDecided={setOutcome}
          onChanged={() => void login.refetch()}
        />
      </div>
    );
  }
  const isUnknown = entered !== null && login.data === null;
  return (
    <Frame>
      {entered !== null && login.isPending ? (
        <Loading rows={2} />
      ) : (
        <>
          {login.isError && (
            <Notice tone="danger" icon="warning" role="alert" title={texts.enter.failed}>
              <p>{toMachineMessage(login.error)}</p>
            </Notice>
          )}
          <CodeForm problem={isUnknown ? texts.enter.unknown : null} onCode={(code) => enter(code, false)} />
        </>
      )}
    </Frame>
  );
}

function Frame({ children }: { children: React.ReactNode }) {
  return (
    <div className="flex h-full flex-col bg-surface">
      <ViewHeader title={texts.enter.title} />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto max-w-2xl space-y-4 px-4 py-4">{children}</div>
      </div>
    </div>
  );
}

function Done({ outcome, onAnother }: { outcome: Outcome; onAnother: () => void }) {
  const { title, hint } = describe(outcome);
  return (
    <div role="status">
      <EmptyState icon={outcome.how === 'approved' ? 'check' : 'denied'} title={title}>
        <p>{hint}</p>
        <p className="flex flex-wrap justify-center gap-2">
          <Link to="/machines" className={buttonClasses()}>
            {texts.done.machines}
          </Link>
          <Button onClick={onAnother}>{texts.done.another}</Button>
        </p>
      </EmptyState>
    </div>
  );
}

function describe(outcome: Outcome): { title: string; hint: string } {
  switch (outcome.how) {
    case 'approved':
      return { title: texts.done.approved(outcome.name), hint: texts.done.approvedHint };
    case 'refused':
      return { title: texts.done.refused, hint: texts.done.refusedHint };
    case 'ended':
      return { title: texts.done.ended, hint: outcome.why };
  }
}
