import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button, Kbd, Notice, toMessage, useKey } from 'beckon/react/parts';
import { useState } from 'react';
import { formatInstant, formatShort } from '../../interactions/instants.ts';
import { useApp } from '../../live/app-context.ts';
import { keys } from '../../live/keys.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useUi } from '../../ui/ui-context.ts';
import { toSnoozeChoices } from './snooze-choices.ts';
import { texts } from './texts.ts';

/** Hides requests from this person until a time, or shows them again. Others still see them. */
export function SnoozeDialog({
  ids,
  isSnoozed,
  onClose,
  onSnoozed,
}: {
  ids: readonly string[];
  isSnoozed: boolean;
  onClose: () => void;
  onSnoozed: () => void;
}) {
  const { history } = useApp();
  const { toasts } = useUi();
  const queries = useQueryClient();
  const [choices] = useState(() => toSnoozeChoices(new Date()));
  const change = useMutation({
    mutationFn: async (until: Date | null) => {
      for (const id of ids) await (until === null ? history.unsnooze(id) : history.snooze(id, until.toISOString()));
    },
    onSuccess: async (_, until) => {
      await queries.invalidateQueries({ queryKey: keys.snoozes });
      toasts.show(until === null ? texts.snooze.back : texts.snooze.done(formatShort(until.toISOString(), new Date())));
      onClose();
      onSnoozed();
    },
  });
  const choose = (until: Date | null): void => {
    if (!change.isPending) change.mutate(until);
  };
  useKey(
    '1-9',
    (event) => {
      const choice = choices[Number(event.key) - 1];
      if (choice === undefined) return false;
      choose(choice.until);
      return true;
    },
    { isInDialog: true },
  );
  return (
    <Dialog title={texts.snooze.title} description={texts.snooze.hint} onClose={onClose}>
      {change.isError && (
        <Notice tone="danger" icon="warning" role="alert" title={texts.snooze.failed}>
          <p>{toMessage(change.error)}</p>
        </Notice>
      )}
      <div className="grid gap-1.5">
        {choices.map(({ name, until }, place) => (
          <Button key={name} disabled={change.isPending} className="justify-between" onClick={() => choose(until)}>
            <span>{texts.snooze.choices[name]}</span>
            <span className="flex items-center gap-2 text-xs font-normal text-muted">
              <time dateTime={until.toISOString()}>{formatInstant(until.toISOString())}</time>
              <span aria-hidden="true" className="pointer-coarse:hidden">
                <Kbd>{String(place + 1)}</Kbd>
              </span>
            </span>
          </Button>
        ))}
        {isSnoozed && (
          <Button look="quiet" disabled={change.isPending} onClick={() => choose(null)}>
            {texts.snooze.now}
          </Button>
        )}
      </div>
    </Dialog>
  );
}
