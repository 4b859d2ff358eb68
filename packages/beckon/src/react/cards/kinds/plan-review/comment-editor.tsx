import { useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../parts/text-area.tsx';
import { texts } from './texts.ts';

/** Where a comment on a line is written. Ctrl+Enter keeps it, Escape leaves. */
export function CommentEditor({
  line,
  initial,
  onSave,
  onCancel,
}: {
  line: number;
  initial: string;
  onSave: (text: string) => void;
  onCancel: () => void;
}) {
  const id = useId();
  const [text, setText] = useState(initial);
  const save = (): void => (text.trim() === '' ? onCancel() : onSave(text.trim()));
  return (
    <div className="space-y-2 rounded-md border border-accent bg-surface p-2 whitespace-normal">
      <label htmlFor={id} className="block text-xs font-medium text-muted">
        {texts.commentOn(line)}
      </label>
      <TextArea
        id={id}
        ref={(area) => area?.focus()}
        value={text}
        placeholder={texts.commentPlaceholder}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.preventDefault();
            onCancel();
          } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            save();
          }
        }}
      />
      <div className="flex gap-2">
        <Button size="small" onClick={save}>
          {texts.saveComment}
        </Button>
        <Button size="small" look="quiet" onClick={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </div>
  );
}
