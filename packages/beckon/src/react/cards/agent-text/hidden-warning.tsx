import { useMemo } from 'react';
import { countHidden, type Place } from '../../../presentation/index.ts';
import { Notice } from '../ui/notice.tsx';
import { texts } from './texts.ts';

/** Warns about invisible and look-alike characters in a text. */
export function HiddenWarning({ text, place }: { text: string; place: Place }) {
  const count = useMemo(() => countHidden(text, place), [text, place]);
  if (count === 0) return null;
  return (
    <Notice tone="warning" icon="warning">
      {texts.warning(count)}
    </Notice>
  );
}
