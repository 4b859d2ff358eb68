import { lazy, Suspense } from 'react';
import { Boundary } from './boundary.tsx';

/** Markdown is brought along only where it is needed, and only where its packages are installed. */
const FormattedText = lazy(() =>
  import('./formatted-text.tsx').then(
    ({ FormattedText: formatted }) => ({ default: formatted }),
    () => ({ default: PlainText }),
  ),
);

/** Text of an agent: as Markdown where that is possible, as it was written until then and otherwise. */
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

function PlainText({ text }: { text: string }) {
  return <div className="beckon-text beckon-text-plain">{text}</div>;
}

/** Whether Markdown would make nothing of it: one line, no marks, no address. */
function isPlain(text: string): boolean {
  return text.length < 2000 && !/[`*_[\]<>#|~&\\@\n\r\t]|:\/\/|www\.|^\s|^[-+=]|^\d+[.)]/.test(text);
}

/** Texts exist that take a parser of Markdown minutes. They are shown as they were written. */
function isTooMuch(text: string): boolean {
  if (text.length > 100_000) return true;
  const marks = text.match(/[`*_[\]<>~&\\]/g)?.length ?? 0;
  const bars = text.match(/\|/g)?.length ?? 0;
  // Quotes and lists that go deeper than anybody reads.
  return marks > 2000 || bars > 6000 || /^(?:[ \t]{80}[ \t]*[-*+\d>]|(?:[ \t]*(?:[->*+]|\d+[.)])){30})/m.test(text);
}
