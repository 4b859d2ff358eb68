import { lazy, Suspense } from 'react';
import { Boundary } from '../boundary.tsx';
import { PlainText } from './plain-text.tsx';

/** Loaded only if there is Markdown, and only if its packages are installed. */
const FormattedText = lazy(() =>
  import('./formatted-text.tsx').then(
    ({ FormattedText: formatted }) => ({ default: formatted }),
    () => ({ default: PlainText }),
  ),
);

/** Text from an agent, formatted as Markdown if possible. Until then, and otherwise, it is shown as written. */
export function MarkdownText({ text }: { text: string }) {
  if (isPlain(text) || isTooMuch(text)) return <PlainText text={text} />;
  const plain = <PlainText text={text} />;
  return (
    <Boundary of={text} fallback={() => plain}>
      <Suspense fallback={plain}>
        <FormattedText text={text} />
      </Suspense>
    </Boundary>
  );
}

/** Whether formatting would change nothing: one line, no marks, no address. */
function isPlain(text: string): boolean {
  return text.length < 2000 && !/[`*_[\]<>#|~&\\@\n\r\t]|:\/\/|www\.|^\s|^[-+=]|^\d+[.)]/.test(text);
}

/** Some texts take a Markdown parser minutes. They are shown as written. */
function isTooMuch(text: string): boolean {
  if (text.length > 100_000) return true;
  const marks = text.match(/[`*_[\]<>~&\\]/g)?.length ?? 0;
  const bars = text.match(/\|/g)?.length ?? 0;
  // The pattern finds quotes and lists nested deeper than anybody reads.
  return marks > 2000 || bars > 6000 || /^(?:[ \t]{80}[ \t]*[-*+\d>]|(?:[ \t]*(?:[->*+]|\d+[.)])){30})/m.test(text);
}
