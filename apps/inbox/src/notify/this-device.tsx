import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { PersonalDestination } from 'beckon/client';
import { Button, Notice, toMessage } from 'beckon/react/parts';
import { useState } from 'react';
import { useApp } from '../live/app-context.ts';
import { keys } from '../live/keys.ts';
import { useDestinations } from '../live/use-destinations.ts';
import { findSupport } from './push-support.ts';
import { PushTrouble, readThisDevice, turnOff, turnOn } from './this-device-push.ts';
import { deviceTexts as texts } from './this-device-texts.ts';

/** While the service worker sends the code back. */
const WAIT_MS = 1000;

/** Notifications of this browser that come even while the page is closed: on, off, and a test. */
export function ThisDevice() {
  const [support, setSupport] = useState(findSupport);
  return (
    <section aria-label={texts.title} className="space-y-2">
      <h3 className="font-medium">{texts.title}</h3>
      {support === 'ready' ? (
        <Controls onChange={() => setSupport(findSupport())} />
      ) : (
        <Notice tone="warning" icon="warning" title={texts.support[support].title}>
          <p>{texts.support[support].advice}</p>
        </Notice>
      )}
    </section>
  );
}

function Controls({ onChange }: { onChange: () => void }) {
  const { me } = useApp();
  const destinations = useDestinations();
  const queries = useQueryClient();
  const tools = { destinations, who: me.who };
  const device = useQuery({
    queryKey: keys.thisDevice,
    queryFn: () => readThisDevice(tools),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data != null && data.provenAt === undefined ? WAIT_MS : false),
  });
  const change = useMutation({
    mutationFn: async (act: Act): Promise<string> => {
      const { data = null } = device;
      if (act === 'test' && data !== null) return texts.tested(await destinations.test(data.id));
      if (act === 'resume' && data !== null) await destinations.edit(data.id, { isOn: true });
      else if (act === 'off') await turnOff(tools);
      else await turnOn(tools);
      return '';
    },
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: keys.thisDevice });
      // The browser may have asked, and the person refused.
      onChange();
    },
  });
  if (device.isError) {
    return (
      <Notice tone="warning" icon="warning" role="alert" title={texts.unread}>
        <p>{toMessage(device.error)}</p>
      </Notice>
    );
  }
  if (device.data === undefined) return <p className="text-xs text-muted">{texts.reading}</p>;
  return (
    <>
      <p role="status" className="text-xs text-muted">
        {describe(device.data)}
      </p>
      <div className="flex flex-wrap gap-2">
        {toActs(device.data).map((act) => (
          <Button key={act} size="small" disabled={change.isPending} onClick={() => change.mutate(act)}>
            {texts.acts[act]}
          </Button>
        ))}
      </div>
      {change.isSuccess && change.data !== '' && <p role="status">{change.data}</p>}
      {change.isError && (
        <Notice tone="warning" icon="warning" role="alert" title={texts.failed}>
          <p>{toTrouble(change.error)}</p>
        </Notice>
      )}
    </>
  );
}

type Act = keyof typeof texts.acts;

function toActs(device: PersonalDestination | null): Act[] {
  if (device === null) return ['on'];
  if (!device.isOn) return ['resume', 'off'];
  return device.provenAt === undefined ? ['on', 'off'] : ['test', 'off'];
}

function describe(device: PersonalDestination | null): string {
  if (device === null) return texts.off;
  if (!device.isOn) return texts.paused;
  if (device.provenAt === undefined) return texts.waiting;
  return device.problem === undefined ? texts.on : texts.problem(device.problem.error);
}

function toTrouble(error: unknown): string {
  if (!(error instanceof PushTrouble)) return toMessage(error);
  return texts.troubles[error.reason];
}
