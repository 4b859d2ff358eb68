import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Machine } from 'beckon/client';
import { toVisibleLine } from 'beckon/presentation';
import { Button, buttonClasses, Loading } from 'beckon/react/parts';
import { useState } from 'react';
import { Link } from 'wouter';
import { formatInstant } from '../../interactions/instants.ts';
import { useApp } from '../../live/app-context.ts';
import { keys } from '../../live/keys.ts';
import { findOwnUrl } from '../../state/own-address.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { useUi } from '../../ui/ui-context.ts';
import { ViewHeader } from '../../ui/view-header.tsx';
import { texts } from './texts.ts';
import { useMachines } from './use-machines.ts';

/** The machines whose agents ask here. */
export function MachinesView() {
  const machines = useMachines();
  const list = useQuery({ queryKey: keys.machines, queryFn: () => machines.list(), staleTime: 0 });
  const [revoking, setRevoking] = useState<Machine | null>(null);
  return (
    <div className="flex h-full flex-col bg-surface">
      <ViewHeader title={texts.title}>
        <Link to="/connect" className={`ml-auto ${buttonClasses()}`}>
          {texts.connect}
        </Link>
      </ViewHeader>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto max-w-3xl space-y-4 px-4 py-4">
          <p className="text-sm text-muted">{texts.hint}</p>
          {list.isPending && <Loading />}
          {list.isError && <Failure title={texts.failed} error={list.error} onRetry={() => void list.refetch()} />}
          {list.data?.length === 0 && (
            <EmptyState icon="sessions" title={texts.empty}>
              <p>{texts.emptyHint}</p>
              <pre className="overflow-x-auto rounded-lg border border-line px-3 py-2 text-left font-mono">
                {texts.command(findOwnUrl())}
              </pre>
            </EmptyState>
          )}
          {list.data !== undefined && list.data.length > 0 && (
            <ul aria-label={texts.title} className="divide-y divide-line rounded-lg border border-line">
              {list.data.map((machine) => (
                <MachineRow key={machine.id} machine={machine} onRevoke={() => setRevoking(machine)} />
              ))}
            </ul>
          )}
        </div>
      </div>
      {revoking !== null && <RevokeDialog machine={revoking} onClose={() => setRevoking(null)} />}
    </div>
  );
}

function MachineRow({ machine, onRevoke }: { machine: Machine; onRevoke: () => void }) {
  const { me } = useApp();
  const { owner, chatId, createdAt, lastUsedAt } = machine;
  const name = toVisibleLine(machine.name, 120);
  return (
    <li className="flex flex-wrap items-center gap-3 px-4 py-3">
      <div className="min-w-0 flex-1 basis-56 text-sm">
        <p className="font-medium [overflow-wrap:anywhere]">
          <bdi>{name}</bdi>
        </p>
        <p className="text-xs text-muted">
          <bdi>{owner === me.who ? texts.you : texts.owner(toVisibleLine(owner, 60))}</bdi>
          {chatId !== undefined && ` · ${texts.onlyChat(toVisibleLine(chatId, 60))}`}
        </p>
        <p className="text-xs text-muted">
          {lastUsedAt === undefined ? texts.neverUsed : texts.lastUsed(formatInstant(lastUsedAt))}
          {` · ${texts.since(formatInstant(createdAt))}`}
        </p>
      </div>
      <Button look="danger" size="small" aria-label={texts.revokeOne(name)} onClick={onRevoke}>
        {texts.revoke}
      </Button>
    </li>
  );
}

function RevokeDialog({ machine, onClose }: { machine: Machine; onClose: () => void }) {
  const machines = useMachines();
  const { toasts } = useUi();
  const queries = useQueryClient();
  const name = toVisibleLine(machine.name, 120);
  const revoke = async () => {
    const isRevoked = await machines.revoke(machine.id);
    toasts.show(isRevoked ? texts.revoked(name) : texts.gone);
    await queries.invalidateQueries({ queryKey: keys.machines });
  };
  return (
    <Confirm
      title={texts.revokeTitle(name)}
      description={texts.revokeHint}
      confirm={texts.revoke}
      failed={texts.revokeFailed}
      onConfirm={revoke}
      onClose={onClose}
    />
  );
}
