import { useQueryClient } from '@tanstack/react-query';
import type { Account } from 'beckon/client';
import { Button, Notice, toMessage } from 'beckon/react/parts';
import { type FormEvent, useEffect, useEffectEvent, useId, useState } from 'react';
import { useLocation } from 'wouter';
import { isLoggedOut } from '../../live/is-logged-out.ts';
import { keys } from '../../live/keys.ts';
import { findBasePath } from '../../state/own-address.ts';
import { Mark } from '../../ui/mark.tsx';
import { type LoginLink, toLoginLink } from './login-code.ts';
import { texts } from './texts.ts';

/** `unusable`: not a login link, or only part of one. `mailed`: a link from an e-mail, which a person must press. */
type State =
  | { step: 'idle' | 'working' | 'unusable' }
  | { step: 'mailed'; link: LoginLink }
  | { step: 'failed'; error: unknown; isMailed: boolean };

/** Logs in with the code of a link, and says how to get a link. */
export function LoginView({ account }: { account: Account }) {
  const queries = useQueryClient();
  const [path, navigate] = useLocation();
  const [state, setState] = useState<State>({ step: 'idle' });

  const logIn = async ({ code, to }: LoginLink): Promise<void> => {
    setState({ step: 'working' });
    try {
      queries.setQueryData(keys.me, await account.logIn(code));
      // Whoever came for something else goes on there.
      if (path === '/login') navigate(to ?? '/', { replace: true });
    } catch (error) {
      setState({ step: 'failed', error, isMailed: to !== undefined });
    }
  };
  const openMailed = async (link: LoginLink, to: string): Promise<void> => {
    // Whoever is logged in here keeps that login, with all they may do, and the link stays good for another browser.
    const me = await account.me().catch(() => null);
    // Programs that look into mails open links, but press nothing: the code must not be used up by them.
    if (me === null) return setState({ step: 'mailed', link });
    queries.setQueryData(keys.me, me);
    navigate(to, { replace: true });
  };
  const readLink = useEffectEvent(() => {
    const { hash } = location;
    if (hash === '') return;
    // First of all, the code must leave the address and with it the browser's history.
    window.history.replaceState(null, '', `${findBasePath()}/login`);
    const link = toLoginLink(hash);
    if (link === null) setState({ step: 'unusable' });
    else if (link.to === undefined) void logIn(link);
    else void openMailed(link, link.to);
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
      {path === '/connect' && <p className="text-sm">{texts.forMachine}</p>}
      {state.step === 'working' && <p role="status">{texts.working}</p>}
      {state.step === 'mailed' && <Mailed onOpen={() => void logIn(state.link)} />}
      {state.step !== 'working' && state.step !== 'mailed' && <HowTo state={state} onLink={logIn} />}
    </main>
  );
}

function Mailed({ onOpen }: { onOpen: () => void }) {
  return (
    <div className="space-y-3 text-sm">
      <p>{texts.mailed}</p>
      <Button look="primary" onClick={onOpen}>
        {texts.openMailed}
      </Button>
      <p className="text-muted">{texts.mailedOnce}</p>
    </div>
  );
}

function HowTo({ state, onLink }: { state: State; onLink: (link: LoginLink) => Promise<void> }) {
  const id = useId();
  const [isInvalid, setInvalid] = useState(false);
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get('link');
    const link = typeof typed === 'string' ? toLoginLink(typed) : null;
    setInvalid(link === null);
    if (link !== null) void onLink(link);
  };
  const isRefused = state.step === 'failed' && isLoggedOut(state.error);
  return (
    <>
      {isRefused && (
        <Notice tone="warning" icon="warning" role="alert" title={texts.refusedTitle}>
          <p>{state.isMailed ? texts.refusedMail : texts.refused}</p>
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
