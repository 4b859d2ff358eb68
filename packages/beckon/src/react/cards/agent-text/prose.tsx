import { classNames } from '../ui/class-names.ts';
import { VisibleText } from './visible-text.tsx';

/** A longer text scrolls inside its own box. */
const LONG_CHARS = 4_000;

/** Prose from an agent: a question, a message, a description. Line breaks are kept. */
export function Prose({ text, look = 'plain' }: { text: string; look?: 'plain' | 'lead' | 'quiet' }) {
  const isLong = text.length > LONG_CHARS;
  return (
    <p
      dir="auto"
      {...(isLong && { tabIndex: 0 })}
      className={classNames(
        'overflow-x-clip [overflow-wrap:anywhere] whitespace-pre-line',
        look === 'lead' && !isLong && 'text-base font-medium',
        look === 'quiet' && 'text-sm text-muted',
        isLong && 'max-h-[60vh] overflow-y-auto text-sm',
      )}
    >
      <VisibleText text={text} />
    </p>
  );
}
