import { toVisibleLine } from 'beckon/presentation';
import { Notice, toMessage } from 'beckon/react/parts';
import { useEffect, useEffectEvent, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useDestinations } from '../../live/use-destinations.ts';
import { ViewHeader } from '../../ui/view-header.tsx';
import { toProof } from './proof.ts';
import { texts } from './texts.ts';

type State = { step: 'working' | 'unusable' } | { step: 'proven'; label: string } | { step: 'failed'; error: unknown };

/** Where the link of a mail leads that proves an address. Only whoever is logged in as its owner can use it. */
export function ProveView() {
  const destinations = useDestinations();
  const [, navigate] = useLocation();
  const [state, setState] = useState<State>({ step: 'working' });
  const prove = useEffectEvent(async () => {
    const { hash } = location;
    if (hash === '') return setState((before) => (before.step === 'working' ? { step: 'unusable' } : before));
    const proof = toProof(hash);
    // The code must leave the address, and with it the browser's history.
    navigate('/prove', { replace: true });
    if (proof === null) return setState({ step: 'unusable' });
    setState({ step: 'working' });
    try {
      const { label } = await destinations.prove(proof.id, proof.code);
      setState({ step: 'proven', label: toVisibleLine(label, 100) });
    } catch (error) {
      setState({ step: 'failed', error });
    }
  });
  useEffect(() => {
    const onLink = (): void => void prove();
    onLink();
    addEventListener('hashchange', onLink);
    return () => removeEventListener('hashchange', onLink);
  }, []);
  return (
    <div className="flex h-full flex-col bg-surface">
      <ViewHeader title={texts.title} />
      <div className="mx-auto w-full max-w-3xl space-y-4 px-4 py-4 text-sm">
        {state.step === 'working' && <p role="status">{texts.working}</p>}
        {state.step === 'proven' && (
          <Notice tone="success" icon="check" role="status" title={texts.provenTitle}>
            <p>{texts.proven(state.label)}</p>
          </Notice>
        )}
        {state.step === 'unusable' && (
          <Notice tone="warning" icon="warning" role="alert" title={texts.failedTitle}>
            <p>{texts.unusable}</p>
          </Notice>
        )}
        {state.step === 'failed' && (
          <Notice tone="warning" icon="warning" role="alert" title={texts.failedTitle}>
            <p>{toMessage(state.error)}</p>
          </Notice>
        )}
        <Link href="/" className="underline">
          {texts.open}
        </Link>
      </div>
    </div>
  );
}
