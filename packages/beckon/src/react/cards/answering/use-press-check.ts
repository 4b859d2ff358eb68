import { useEffect, useState } from 'react';
import type { Refusal } from '../consent/decision-guard.ts';
import { consent } from '../consent/use-consent.ts';
import type { CheckPress, Step } from './check-answer.ts';
import { texts } from './texts.ts';

/** How long the page says that a press was not sent. */
const REFUSED_MS = 6000;

const JUDGES: Readonly<Record<Step, (id: string) => Refusal | null>> = {
  decide: (id) => consent.decide(id),
  prepare: (id) => consent.prepare(id),
  confirm: (id) => consent.confirm(id),
};

/** Asks the guard about the press behind the current event. A refusal is shown for a while, and said with `say`. */
export function usePressCheck(
  sightId: string,
  say?: (text: string) => void,
): { refusal: Refusal | null; checkPress: CheckPress } {
  const [refused, setRefused] = useState<{ refusal: Refusal } | null>(null);
  useEffect(() => {
    if (refused === null) return undefined;
    const timer = setTimeout(() => setRefused(null), REFUSED_MS);
    return () => clearTimeout(timer);
  }, [refused]);
  const checkPress: CheckPress = (step) => {
    const refusal = JUDGES[step](sightId);
    setRefused(refusal && { refusal });
    if (refusal === null) return;
    say?.(texts.notSent[refusal]);
    throw new Error(texts.notSent[refusal]);
  };
  return { refusal: refused?.refusal ?? null, checkPress };
}
