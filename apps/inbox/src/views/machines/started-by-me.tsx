import { useId, useState } from 'react';
import { texts } from './texts.ts';

/** Whether the person has said that they started the login. `wrong`: what they typed is not from its terminal. */
export type Confirmed = 'no' | 'yes' | 'wrong';

const HALF = 4;

/**
 * Asks the person to say that they started the login themselves. Whoever typed the code has the terminal in front of
 * them; a link may come from anybody, so then the letters that the page does not show are asked for.
 */
export function StartedByMe({
  code,
  isByLink,
  confirmed,
  onChange,
}: {
  code: string;
  isByLink: boolean;
  confirmed: Confirmed;
  onChange: (confirmed: Confirmed) => void;
}) {
  const id = useId();
  const [letters, setLetters] = useState('');
  if (!isByLink) {
    return (
      <label htmlFor={id} className="flex items-start gap-3 rounded-lg border border-line px-4 py-3 text-sm">
        <input
          id={id}
          type="checkbox"
          checked={confirmed === 'yes'}
          onChange={(event) => onChange(event.target.checked ? 'yes' : 'no')}
          className="mt-0.5 size-4 shrink-0 accent-accent"
        />
        {texts.decide.confirm(code)}
      </label>
    );
  }
  const type = (text: string): void => {
    const typed = text
      .toUpperCase()
      .replaceAll(/[^A-Z]/g, '')
      .slice(0, HALF);
    setLetters(typed);
    if (typed.length < HALF) onChange('no');
    else onChange(code.endsWith(typed) ? 'yes' : 'wrong');
  };
  const isWrong = confirmed === 'wrong';
  return (
    <div className="space-y-1.5 rounded-lg border border-line px-4 py-3 text-sm">
      <label htmlFor={id} className="block font-medium">
        {texts.decide.lastFour}
      </label>
      <input
        id={id}
        value={letters}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        aria-invalid={isWrong}
        aria-describedby={`${id}-hint`}
        onChange={(event) => type(event.target.value)}
        className="field w-32 font-mono text-lg tracking-widest uppercase"
      />
      <p id={`${id}-hint`} role="status" className={isWrong ? 'text-danger' : 'text-muted'}>
        {isWrong ? texts.decide.lastFourWrong : texts.decide.lastFourHint}
      </p>
    </div>
  );
}
