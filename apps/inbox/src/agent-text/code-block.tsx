import { Fragment, useMemo } from 'react';
import { useTokens } from '../highlight/use-tokens.ts';
import { CodeText } from './code-text.tsx';
import { PlainText } from './plain-text.tsx';

/** A longer text is shown in pieces, without colors. */
const MOST_CHARS = 32_000;

/** A script or other code from an agent: whole, colored, wrapped, with hidden characters marked. */
export function CodeBlock({ text, language }: { text: string; language: string | null }) {
  const isLong = text.length > MOST_CHARS;
  const sources = useMemo(() => [text], [text]);
  const [tokens] = useTokens(sources, isLong ? null : language);
  if (isLong) return <PlainText text={text} place="code" />;
  return (
    <div dir="ltr" className="overflow-x-clip font-mono text-xs leading-5 [overflow-wrap:anywhere] whitespace-pre-wrap">
      {text.split('\n').map((line, index) => (
        <Fragment key={index}>
          {index > 0 && '\n'}
          <CodeText text={line} tokens={tokens?.[index]} spaces="telling" />
        </Fragment>
      ))}
    </div>
  );
}
