import { useMutation } from '@tanstack/react-query';
import type { PersonalDestination } from 'beckon/client';
import { toVisibleLine } from 'beckon/presentation';
import { Button } from 'beckon/react/parts';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useDestinations } from '../live/use-destinations.ts';
import { useUi } from '../ui/ui-context.ts';
import { toDestinationMessage } from './destination-message.ts';
import { texts } from './texts.ts';
import { useKeepDestination } from './use-destination-list.ts';
import { type Testing, useTest } from './use-test.ts';

/** Where somebody shows that a destination is theirs: by the code that it got; a webhook, by taking a test. */
export function ProveForm({
  destination,
  isSentAtOnce = false,
}: {
  destination: PersonalDestination;
  /** Sends the code without a press, because the person has just added it. */
  isSentAtOnce?: boolean;
}) {
  const { kind } = destination;
  const test = useTest(destination);
  const start = useRef(isSentAtOnce ? test.send : null);
  useEffect(() => {
    start.current?.();
    start.current = null;
  }, []);
  return (
    <div className="flex flex-col items-start gap-2 text-sm">
      <p>{texts.prove[kind]}</p>
      {kind === 'email' || kind === 'ntfy' ? (
        <CodeForm destination={destination} test={test} />
      ) : (
        <Button size="small" aria-disabled={test.isSending} onClick={test.send}>
          {texts.actions.test}
        </Button>
      )}
      <TestResult test={test} />
    </div>
  );
}

/** What became of the last test. The place is always there, because screen readers watch only regions they know. */
export function TestResult({ test: { isGood, said } }: { test: Testing }) {
  return (
    <p role="status" className={`text-sm break-words empty:-mt-2 ${isGood ? 'text-muted' : 'text-danger'}`}>
      {said}
    </p>
  );
}

function CodeForm({ destination, test }: { destination: PersonalDestination; test: Testing }) {
  const id = useId();
  const destinations = useDestinations();
  const keepDestination = useKeepDestination();
  const { toasts } = useUi();
  const [isInvalid, setInvalid] = useState(false);
  const prove = useMutation({
    mutationFn: (code: string) => destinations.prove(destination.id, code),
    onSuccess: (proven) => {
      keepDestination(proven);
      toasts.show(texts.prove.confirmed(toVisibleLine(proven.label, 100)));
    },
  });
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get('code');
    const code = typeof typed === 'string' ? typed.replaceAll(/[\s-]/g, '') : '';
    const isCode = /^\d{8}$/.test(code);
    setInvalid(!isCode);
    if (isCode && !prove.isPending) prove.mutate(code);
  };
  const problem = isInvalid ? texts.prove.invalid : prove.isError ? toDestinationMessage(prove.error) : null;
  return (
    <form onSubmit={onSubmit} noValidate className="space-y-1">
      <label htmlFor={id} className="block font-medium">
        {texts.prove.code}
      </label>
      <div className="flex flex-wrap gap-2">
        <input
          id={id}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          spellCheck={false}
          aria-invalid={problem !== null}
          {...(problem !== null && { 'aria-describedby': `${id}-problem` })}
          className="field w-36 font-mono tracking-widest"
        />
        <Button type="submit" aria-disabled={prove.isPending}>
          {texts.prove.confirm}
        </Button>
        <Button aria-disabled={test.isSending} onClick={test.send}>
          {texts.prove.sendCode}
        </Button>
      </div>
      {problem !== null && (
        <p id={`${id}-problem`} role="alert" className="text-danger">
          {problem}
        </p>
      )}
    </form>
  );
}
