import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button, Icon, IconButton, toMessage } from 'beckon/react/parts';
import { type FormEvent, useId, useState } from 'react';
import { useApp } from '../../live/app-context.ts';
import { keys } from '../../live/keys.ts';
import { texts as uiTexts } from '../../ui/texts.ts';
import { useUi } from '../../ui/ui-context.ts';
import { texts } from './texts.ts';

const MOST_CHARS = 300;

/** The title of a session and where it runs. The title can be changed in place. */
export function SessionTitle({
  sessionId,
  title,
  place,
}: {
  sessionId: string;
  title: string | undefined;
  place: string;
}) {
  const [isEditing, setEditing] = useState(false);
  if (isEditing) return <TitleForm sessionId={sessionId} title={title ?? ''} onClose={() => setEditing(false)} />;
  return (
    <div className="min-w-0 flex-1">
      <div className="flex items-center gap-1">
        <h1 className="min-w-0 truncate font-semibold" title={sessionId}>
          <bdi>{title ?? texts.untitledOne}</bdi>
        </h1>
        <IconButton label={texts.rename} onClick={() => setEditing(true)}>
          <Icon name="edit" />
        </IconButton>
      </div>
      {place !== '' && <bdi className="block truncate text-xs text-muted">{place}</bdi>}
    </div>
  );
}

function TitleForm({ sessionId, title, onClose }: { sessionId: string; title: string; onClose: () => void }) {
  const { history } = useApp();
  const { toasts } = useUi();
  const queries = useQueryClient();
  const [typed, setTyped] = useState(title);
  const id = useId();
  const save = useMutation({
    mutationFn: () => history.rename(sessionId, typed.trim()),
    onSuccess: async () => {
      await Promise.all([
        queries.invalidateQueries({ queryKey: keys.titles }),
        queries.invalidateQueries({ queryKey: keys.sessions }),
      ]);
      toasts.show(texts.renamed);
      onClose();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form onSubmit={submit} className="min-w-0 flex-1 space-y-1">
      <div className="flex flex-wrap items-center gap-2">
        <label htmlFor={id} className="sr-only">
          {texts.name}
        </label>
        <input
          id={id}
          autoFocus
          value={typed}
          maxLength={MOST_CHARS}
          aria-describedby={`${id}-hint`}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') {
              event.preventDefault();
              onClose();
            }
          }}
          className="field min-w-0 flex-1 py-1 text-sm"
        />
        <Button type="submit" look="primary" size="small" disabled={save.isPending}>
          {texts.save}
        </Button>
        <Button look="quiet" size="small" onClick={onClose}>
          {uiTexts.cancel}
        </Button>
      </div>
      <p id={`${id}-hint`} className="text-xs text-muted">
        {save.isError ? `${texts.renameFailed} ${toMessage(save.error)}` : texts.nameHint}
      </p>
    </form>
  );
}
