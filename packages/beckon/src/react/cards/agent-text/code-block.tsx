import { Fragment, useMemo } from 'react';
import { useTokens } from '../highlight/use-tokens.ts';
import { CodeText } from './code-text.tsx';
import { cutLayer, useFindingLayer } from './findings.ts';
import { PlainText } from './plain-text.tsx';

/** A longer text is shown in pieces, without colors. */
const MOST_CHARS = 32_000;

/**
 * A script or other code from an agent: whole, colored, wrapped, with hidden characters marked, and what is risky if it
 * is the text at `path` of the request.
 */
export function CodeBlock({
  text,
  language,
  path,
}: {
  text: string;
  language: string | null;
  path?: readonly string[];
}) {
  const findings = useFindingLayer(text, path);
  const isLong = text.length > MOST_CHARS;
  const sources = useMemo(() => [text], [text]);
  const [tokens] = useTokens(sources, isLong ? null : language);
  const lines = useMemo(() => toLines(text), [text]);
  if (isLong) return <PlainText text={text} place="code" {...(path !== undefined && { path })} />;
  return (
    <div dir="ltr" className="overflow-x-clip font-mono text-xs leading-5 [overflow-wrap:anywhere] whitespace-pre-wrap">
      {lines.map(({ line, start }, index) => (
        <Fragment key={index}>
          {index > 0 && '\n'}
          <CodeText
            text={line}
            tokens={tokens?.[index]}
            findings={cutLayer(findings, start, start + line.length)}
            spaces="telling"
          />
        </Fragment>
      ))}
    </div>
  );
}

function toLines(text: string): { line: string; start: number }[] {
  let start = 0;
  return text.split('\n').map((line) => {
    const placed = { line, start };
    start += line.length + 1;
    return placed;
  });
}
