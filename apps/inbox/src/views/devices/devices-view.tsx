import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Device } from 'beckon/client';
import { toVisibleLine } from 'beckon/presentation';
import { Badge, Button, buttonClasses, Icon, Loading } from 'beckon/react/parts';
import { lazy, Suspense, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { formatInstant } from '../../interactions/instants.ts';
import { useApp } from '../../live/app-context.ts';
import { keys } from '../../live/keys.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { useUi } from '../../ui/ui-context.ts';
import { ViewHeader } from '../../ui/view-header.tsx';
import { LogOutButton } from './log-out-button.tsx';
import { texts } from './texts.ts';

const AddPhoneDialog = lazy(() => import('./add-phone-dialog.tsx').then((m) => ({ default: m.AddPhoneDialog })));

/** The browsers that are logged in. `isAdding`: a phone is about to. */
export function DevicesView({ isAdding = false }: { isAdding?: boolean }) {
  const [, navigate] = useLocation();
  const { account, me } = useApp();
  const devices = useQuery({ queryKey: keys.devices, queryFn: () => account.devices(), staleTime: 0 });
  const [revoking, setRevoking] = useState<Device | null>(null);
  return (
    <div className="flex h-full flex-col bg-surface">
      <ViewHeader title={texts.title}>
        <span className="ml-auto flex gap-2">
          <Link to="/devices/add" className={buttonClasses()}>
            <Icon name="devices" />
            {texts.addPhone}
          </Link>
          <LogOutButton />
        </span>
      </ViewHeader>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto max-w-3xl space-y-4 px-4 py-4">
          <p className="text-sm text-muted">
            {texts.hint} {texts.loggedInAs(me.who)}. {texts.role(me.role)}.
          </p>
          {devices.isPending && <Loading />}
          {devices.isError && (
            <Failure title={texts.failed} error={devices.error} onRetry={() => void devices.refetch()} />
          )}
          {devices.data?.length === 0 && <EmptyState icon="devices" title={texts.empty} />}
          {devices.data !== undefined && devices.data.length > 0 && (
            <ul aria-label={texts.title} className="divide-y divide-line rounded-lg border border-line">
              {devices.data.map((device) => (
                <DeviceRow key={device.id} device={device} onRevoke={() => setRevoking(device)} />
              ))}
            </ul>
          )}
          <p className="text-sm text-muted">{texts.add}</p>
        </div>
      </div>
      <Suspense>{isAdding && <AddPhoneDialog onClose={() => navigate('/devices')} />}</Suspense>
      {revoking !== null && <RevokeDialog device={revoking} onClose={() => setRevoking(null)} />}
    </div>
  );
}

function DeviceRow({ device, onRevoke }: { device: Device; onRevoke: () => void }) {
  const { label, who, role, chatId, answerOnly, createdAt, lastSeenAt, isCurrent } = device;
  const name = toVisibleLine(label, 80);
  return (
    <li className="flex flex-wrap items-center gap-3 px-4 py-3">
      <div className="min-w-0 flex-1 text-sm">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <bdi className="truncate">{name}</bdi>
          {isCurrent && <Badge tone="accent">{texts.you}</Badge>}
        </p>
        <p className="text-xs text-muted">
          <bdi>{toVisibleLine(who, 60)}</bdi>
          {` · ${texts.role(role)}`}
          {answerOnly === true && ` · ${texts.answerOnly}`}
          {chatId !== undefined && ` · ${texts.inChat(toVisibleLine(chatId, 60))}`}
        </p>
        <p className="text-xs text-muted">
          {`${texts.lastSeen(formatInstant(lastSeenAt))} · ${texts.since(formatInstant(createdAt))}`}
        </p>
      </div>
      {!isCurrent && (
        <Button look="danger" size="small" aria-label={texts.revokeOne(name)} onClick={onRevoke}>
          {texts.revoke}
        </Button>
      )}
    </li>
  );
}

function RevokeDialog({ device, onClose }: { device: Device; onClose: () => void }) {
  const { account } = useApp();
  const { toasts } = useUi();
  const queries = useQueryClient();
  const label = toVisibleLine(device.label, 80);
  const revoke = async () => {
    const isRevoked = await account.revokeDevice(device.id);
    toasts.show(isRevoked ? texts.revoked(label) : texts.gone);
    await queries.invalidateQueries({ queryKey: keys.devices });
  };
  return (
    <Confirm
      title={texts.revokeTitle(label)}
      description={texts.revokeHint}
      confirm={texts.revoke}
      failed={texts.revokeFailed}
      onConfirm={revoke}
      onClose={onClose}
    />
  );
}
