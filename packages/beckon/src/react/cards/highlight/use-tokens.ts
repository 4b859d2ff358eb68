import { useEffect, useState } from 'react';
import { highlighter } from './highlighter.ts';
import type { TokenLines } from './token.ts';

const NONE: readonly TokenLines[] = [];

/**
 * The tokens of each text, once they are known; until then, and if they never are, the texts are shown plainly. Pass
 * the same array for the same texts.
 */
export function useTokens(texts: readonly string[], language: string | null): readonly TokenLines[] {
  const [done, setDone] = useState<{ texts: readonly string[]; lines: readonly TokenLines[] }>();
  useEffect(() => {
    if (language === null) return undefined;
    const leaving = new AbortController();
    void highlighter.highlight(texts, language, leaving.signal).then((lines) => {
      if (!leaving.signal.aborted && lines !== null) setDone({ texts, lines });
    });
    return () => leaving.abort();
  }, [texts, language]);
  return done?.texts === texts ? done.lines : NONE;
}
