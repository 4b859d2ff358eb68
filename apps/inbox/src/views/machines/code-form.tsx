import { toUserCode } from 'beckon/protocol';
import { Button } from 'beckon/react/parts';
import { type FormEvent, useId, useState } from 'react';
import { texts } from './texts.ts';

/** Where a person types the code that a machine shows. `problem` says why the last one led nowhere. */
export function CodeForm({ problem, onCode }: { problem: string | null; onCode: (code: string) => void }) {
  const id = useId();
  const [isInvalid, setInvalid] = useState(false);
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get('code');
    const code = typeof typed === 'string' ? toUserCode(typed) : null;
    setInvalid(code === null);
    if (code !== null) onCode(code);
  };
  const fault = isInvalid ? texts.enter.invalid : problem;
  return (
    <form onSubmit={onSubmit} className="space-y-2">
      <p className="text-sm">{texts.enter.hint}</p>
      <label htmlFor={id} className="block text-sm font-medium">
        {texts.enter.label}
      </label>
      <div className="flex flex-wrap gap-2">
        <input
          id={id}
          name="code"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          placeholder={texts.enter.example}
          aria-invalid={fault !== null}
          {...(fault !== null && { 'aria-describedby': `${id}-error` })}
          className="field min-w-0 flex-1 basis-40 font-mono text-lg tracking-widest uppercase placeholder:normal-case"
        />
        <Button type="submit" look="primary">
          {texts.enter.next}
        </Button>
      </div>
      {fault !== null && (
        <p id={`${id}-error`} role="alert" className="text-sm text-danger">
          {fault}
        </p>
      )}
    </form>
  );
}
