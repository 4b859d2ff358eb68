import { Button, Loading } from 'beckon/react/parts';
import { useState } from 'react';
import { useApp } from '../live/app-context.ts';
import { Failure } from '../ui/failure.tsx';
import { AddDialog } from './add-dialog.tsx';
import { DestinationRow } from './destination-row.tsx';
import { ADDABLE, type AddableKind } from './new-destination.ts';
import { texts } from './texts.ts';
import { useDestinationList } from './use-destination-list.ts';

/** Where the person is told, and what can be added. An admin sees where others are, too. */
export function DestinationSection() {
  const { me } = useApp();
  const list = useDestinationList();
  const [adding, setAdding] = useState<AddableKind | null>(null);
  const isAdmin = me.role === 'admin' && me.chatId === undefined;
  const own = list.data?.filter(({ owner }) => owner === me.who) ?? [];
  const others = list.data?.filter(({ owner }) => owner !== me.who) ?? [];
  return (
    <section aria-labelledby="destinations" className="space-y-3">
      <h2 id="destinations" className="font-semibold">
        {texts.title}
      </h2>
      <p className="text-sm text-muted">{texts.hint}</p>
      {list.isPending && <Loading rows={2} />}
      {list.isError && list.data === undefined && (
        <Failure title={texts.failed} error={list.error} onRetry={() => void list.refetch()} />
      )}
      {list.data !== undefined && own.length === 0 && <p className="text-sm">{texts.empty}</p>}
      {own.length > 0 && (
        <ul aria-label={texts.title} className="divide-y divide-line rounded-lg border border-line">
          {own.map((destination) => (
            <DestinationRow key={destination.id} destination={destination} isOwn />
          ))}
        </ul>
      )}
      <div role="group" aria-label={texts.addOne} className="flex flex-wrap items-center gap-2">
        <span className="text-sm text-muted" aria-hidden="true">
          {texts.addOne}
        </span>
        {ADDABLE.filter((kind) => kind !== 'webhook' || isAdmin).map((kind) => (
          <Button key={kind} aria-label={texts.add.title[kind]} onClick={() => setAdding(kind)}>
            {texts.kinds[kind]}
          </Button>
        ))}
      </div>
      {others.length > 0 && (
        <>
          <h3 className="pt-2 text-sm font-semibold">{texts.others}</h3>
          <ul aria-label={texts.others} className="divide-y divide-line rounded-lg border border-line">
            {others.map((destination) => (
              <DestinationRow key={destination.id} destination={destination} isOwn={false} />
            ))}
          </ul>
        </>
      )}
      {adding !== null && <AddDialog kind={adding} onClose={() => setAdding(null)} />}
    </section>
  );
}
