import { useMutation } from '@tanstack/react-query';
import { Button, toMessage } from 'beckon/react/parts';
import { useApp } from '../../live/app-context.ts';
import { texts } from './texts.ts';

/** Explains the samples, and removes them with one click, but nothing else in their chat. */
export function SamplesBanner({ ids }: { ids: readonly string[] }) {
  const { beckon, inbox, me } = useApp();
  const remove = useMutation({
    mutationFn: () => Promise.all(ids.map((id) => beckon.cancel({ id }, texts.samples.reason))),
    onSuccess: (ended) => inbox.drop(ended.flat()),
  });
  return (
    <div className="flex shrink-0 items-center gap-3 border-b border-line bg-accent-soft px-4 py-2 text-xs">
      <p className="flex-1">
        {remove.isError ? `${texts.samples.failed} ${toMessage(remove.error)}` : texts.samples.text}
      </p>
      {me.role === 'admin' && (
        <Button size="small" disabled={remove.isPending} onClick={() => remove.mutate()}>
          {texts.samples.remove}
        </Button>
      )}
    </div>
  );
}
