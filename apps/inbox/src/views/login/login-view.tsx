import { useQueryClient } from '@tanstack/react-query';
import type { Account } from 'beckon/client';
import { type FormEvent, useEffect, useEffectEvent, useId, useState } from 'react';
import { useLocation } from 'wouter';
import { isLoggedOut } from '../../live/is-logged-out.ts';
import { keys } from '../../live/keys.ts';
import { Button } from '../../ui/button.tsx';
import { toMessage } from '../../ui/error-text.ts';
import { Mark } from '../../ui/mark.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toLoginCode } from './login-code.ts';
import { texts } from './texts.ts';

/** `unusable`: not a login link, or only part of one. */
type State = { step: 'idle' | 'working' | 'unusable' } | { step: 'failed'; error: unknown };

/** Logs in with the code of a link, and says how to get a link. */
export function LoginView({ account }: { account: Account }) {
  const queries = useQueryClient();
  const [path, navigate] = useLocation();
  const [state, setState] = useState<State>({ step: 'idle' });

  const logIn = async (code: string): Promise<void> => {
    setState({ step: 'working' });
    try {
      queries.setQueryData(keys.me, await account.logIn(code));
      navigate('/', { replace: true });
    } catch (error) {
      setState({ step: 'failed', error });
    }
  };
  const readLink = useEffectEvent(() => {
    const { hash } = location;
    if (hash === '') return;
    // First of all, the code must leave the address and with it the browser's history.
    window.history.replaceState(null, '', '/login');
    const code = toLoginCode(hash);
    if (code === null) setState({ step: 'unusable' });
    else void logIn(code);
  });
  // Opening a link while this page is open changes only the fragment.
  useEffect(() => {
    if (path !== '/login') return;
    readLink();
    addEventListener('hashchange', readLink);
    return () => removeEventListener('hashchange', readLink);
  }, [path]);

  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center gap-5 px-5 py-10">
      <div className="flex items-center gap-3">
        <Mark className="size-9" />
        <h1 className="text-xl font-semibold tracking-tight">{texts.title}</h1>
      </div>
      {state.step === 'working' ? <p role="status">{texts.working}</p> : <HowTo state={state} onCode={logIn} />}
    </main>
  );
}

function HowTo({ state, onCode }: { state: State; onCode: (code: string) => Promise<void> }) {
  const id = useId();
  const [isInvalid, setInvalid] = useState(false);
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const link = new FormData(event.currentTarget).get('link');
    const code = typeof link === 'string' ? toLoginCode(link) : null;
    setInvalid(code === null);
    if (code !== null) void onCode(code);
  };
  const isRefused = state.step === 'failed' && isLoggedOut(state.error);
  return (
    <>
      {isRefused && (
        <Notice tone="warning" icon="warning" role="alert" title={texts.refusedTitle}>
          <p>{texts.refused}</p>
        </Notice>
      )}
      {state.step === 'unusable' && (
        <Notice tone="warning" icon="warning" role="alert" title={texts.unusableTitle}>
          <p>{texts.unusable}</p>
        </Notice>
      )}
      {state.step === 'failed' && !isRefused && (
        <Notice tone="danger" icon="warning" role="alert" title={texts.failedTitle}>
          <p>{toMessage(state.error)}</p>
        </Notice>
      )}
      <div className="space-y-2 text-sm">
        <p>{texts.hint}</p>
        <p>{texts.how}</p>
        <pre className="rounded-lg border border-line bg-surface px-3 py-2 font-mono">{texts.command}</pre>
      </div>
      <form onSubmit={onSubmit} className="space-y-2 border-t border-line pt-4 text-sm">
        <label htmlFor={id} className="block font-medium">
          {texts.pasteLabel}
        </label>
        <div className="flex gap-2">
          <input
            id={id}
            name="link"
            autoComplete="off"
            aria-invalid={isInvalid}
            {...(isInvalid && { 'aria-describedby': `${id}-error` })}
            className="field min-w-0 flex-1"
          />
          <Button type="submit" look="primary">
            {texts.paste}
          </Button>
        </div>
        {isInvalid && (
          <p id={`${id}-error`} className="text-danger">
            {texts.pasteInvalid}
          </p>
        )}
      </form>
    </>
  );
}
