import { useState } from 'react';
import type { Place } from '../../../presentation/index.ts';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { cutLayer, useFindingLayer } from './findings.ts';
import { texts } from './texts.ts';
import { VisibleText } from './visible-text.tsx';

/**
 * One element with a megabyte of text takes seconds to lay out; elements of this size wait until they are scrolled to.
 */
const CHUNK_CHARS = 8_000;
const FIRST_CHUNKS = 4;
const MORE_CHUNKS = 25;

/** A text as written, in a monospaced font. A long text is shown in part, with a button for the rest. */
export function PlainText({
  text,
  place = 'code',
  path,
  isWrapped = true,
}: {
  text: string;
  place?: Place;
  /** Where it is in the request, if what is risky in it is marked. */
  path?: readonly string[];
  /** Drawings made of characters must not be wrapped, so their container scrolls. */
  isWrapped?: boolean;
}) {
  const [count, setCount] = useState(FIRST_CHUNKS);
  const chunks = toChunks(text);
  const findings = useFindingLayer(text, path);
  const shown = chunks.slice(0, count);
  const rest = chunks.slice(shown.length).reduce((sum, chunk) => sum + chunk.text.length, 0);
  return (
    <div className="space-y-2">
      <div
        dir="ltr"
        className={classNames(
          'font-mono text-xs leading-5',
          isWrapped ? 'overflow-x-clip [overflow-wrap:anywhere] whitespace-pre-wrap' : 'whitespace-pre',
        )}
      >
        {shown.map((chunk, index) => (
          <div
            key={index}
            className={
              chunks.length > FIRST_CHUNKS ? '[contain-intrinsic-size:auto_600px] [content-visibility:auto]' : ''
            }
          >
            <VisibleText
              text={chunk.text}
              place={place}
              findings={cutLayer(findings, chunk.start, chunk.start + chunk.text.length)}
            />
          </div>
        ))}
      </div>
      {rest > 0 && (
        <Button size="small" onClick={() => setCount(count + MORE_CHUNKS)}>
          {texts.showRest(Math.ceil(rest / 1024))}
        </Button>
      )}
    </div>
  );
}

/** Pieces of about the same size, cut at line ends if possible. */
function toChunks(text: string): { text: string; start: number }[] {
  const chunks: { text: string; start: number }[] = [];
  let from = 0;
  while (text.length - from > CHUNK_CHARS) {
    const lineEnd = text.lastIndexOf('\n', from + CHUNK_CHARS);
    const end = lineEnd > from ? lineEnd : toWholeCharacter(text, from + CHUNK_CHARS);
    chunks.push({ text: text.slice(from, end), start: from });
    // The end of a chunk replaces the line end.
    from = lineEnd > from ? end + 1 : end;
  }
  return [...chunks, { text: text.slice(from), start: from }];
}

function toWholeCharacter(text: string, end: number): number {
  return /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end;
}
