import { useMutation } from '@tanstack/react-query';
import type { PersonalDestination } from 'beckon/client';
import { toVisibleLine } from 'beckon/presentation';
import { Badge, Button, type Tone } from 'beckon/react/parts';
import { useId, useState } from 'react';
import { formatInstant } from '../interactions/instants.ts';
import { useDestinations } from '../live/use-destinations.ts';
import { useUi } from '../ui/ui-context.ts';
import { Deliveries } from './deliveries.tsx';
import { type DestinationState, describeProblem, describeTerms, toState } from './describe-destination.ts';
import { toDestinationMessage } from './destination-message.ts';
import { EditDialog } from './edit-dialog.tsx';
import { ProveForm, TestResult } from './prove-form.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { texts } from './texts.ts';
import { useKeepDestination } from './use-destination-list.ts';
import { useTest } from './use-test.ts';

const TONES: Record<DestinationState, Tone> = {
  unproven: 'warning',
  off: 'neutral',
  paused: 'danger',
  failing: 'danger',
  on: 'success',
};

type Open = 'edit' | 'remove' | 'secret' | null;

/** A destination, and what its owner can do with it. An admin can turn off and remove those of others. */
export function DestinationRow({ destination, isOwn }: { destination: PersonalDestination; isOwn: boolean }) {
  const [open, setOpen] = useState<Open>(null);
  const [hasLog, setHasLog] = useState(false);
  const log = useId();
  const test = useTest(destination);
  const { kind, owner, isOn, waiting, lastSentAt } = destination;
  const state = toState(destination);
  const name = toVisibleLine(destination.label, 80);
  const target = toVisibleLine(destination.target, 100);
  const problem = describeProblem(destination);
  const close = (): void => setOpen(null);
  const named = (action: string) => ({ 'aria-label': texts.actions.named(action, name) });
  return (
    <li className="flex flex-col gap-2 px-4 py-3 text-sm">
      <div>
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <bdi className="min-w-0 [overflow-wrap:anywhere]">{name}</bdi>
          <Badge tone={TONES[state]}>{texts.state[state]}</Badge>
        </p>
        <p className="text-xs text-muted [overflow-wrap:anywhere]">
          {[texts.kinds[kind], ...(target === name ? [] : [target]), ...(isOwn ? [] : [texts.of(toOwner(owner))])].join(
            ' · ',
          )}
        </p>
        <p className="text-xs text-muted [overflow-wrap:anywhere]">{describeTerms(destination).join(' · ')}</p>
        {state !== 'unproven' && (
          <p className="text-xs text-muted">
            {lastSentAt === undefined ? texts.neverSent : texts.lastSent(formatInstant(lastSentAt))}
            {waiting > 0 && ` ${texts.waiting(waiting)}`}
          </p>
        )}
        {problem !== null && <p className="text-xs break-words text-danger">{problem}</p>}
      </div>
      {isOwn && state === 'unproven' && <ProveForm destination={destination} />}
      <div className="flex flex-wrap gap-2">
        {isOwn && state !== 'unproven' && (
          <>
            <Button size="small" {...named(texts.actions.test)} aria-disabled={test.isSending} onClick={test.send}>
              {texts.actions.test}
            </Button>
            <Button size="small" {...named(texts.actions.edit)} onClick={() => setOpen('edit')}>
              {texts.actions.edit}
            </Button>
            {kind === 'webhook' && (
              <Button size="small" {...named(texts.actions.secret)} onClick={() => setOpen('secret')}>
                {texts.actions.secret}
              </Button>
            )}
          </>
        )}
        {state !== 'unproven' && <TurnButton destination={destination} isOn={isOn && state !== 'paused'} />}
        <Button size="small" look="danger" {...named(texts.actions.remove)} onClick={() => setOpen('remove')}>
          {texts.actions.remove}
        </Button>
        {isOwn && state !== 'unproven' && (
          <Button
            size="small"
            look="quiet"
            {...named(texts.actions.log)}
            aria-expanded={hasLog}
            aria-controls={log}
            onClick={() => setHasLog(!hasLog)}
          >
            {texts.actions.log}
          </Button>
        )}
      </div>
      {state !== 'unproven' && <TestResult test={test} />}
      <div id={log} hidden={!hasLog}>
        {hasLog && <Deliveries destination={destination} />}
      </div>
      {open === 'edit' && <EditDialog destination={destination} onClose={close} />}
      {open === 'remove' && <RemoveDialog destination={destination} onClose={close} />}
      {open === 'secret' && <SecretDialog destination={destination} onClose={close} />}
    </li>
  );
}

/** Turns a destination off or on. Turning on ends a pause as well. */
function TurnButton({ destination, isOn }: { destination: PersonalDestination; isOn: boolean }) {
  const destinations = useDestinations();
  const keepDestination = useKeepDestination();
  const { toasts } = useUi();
  const name = toVisibleLine(destination.label, 80);
  const turn = useMutation({
    mutationFn: (on: boolean) => destinations.edit(destination.id, { isOn: on }),
    onSuccess: (changed) => {
      keepDestination(changed);
      toasts.show(changed.isOn ? texts.actions.turnedOn(name) : texts.actions.turnedOff(name));
    },
    onError: (error) => toasts.show(`${texts.actions.failed} ${toDestinationMessage(error)}`, 'note'),
  });
  const action = isOn ? texts.actions.turnOff : texts.actions.turnOn;
  return (
    <Button
      size="small"
      aria-label={texts.actions.named(action, name)}
      aria-disabled={turn.isPending}
      onClick={() => {
        if (!turn.isPending) turn.mutate(!isOn);
      }}
    >
      {action}
    </Button>
  );
}

function toOwner(owner: string): string {
  return toVisibleLine(owner, 60);
}
