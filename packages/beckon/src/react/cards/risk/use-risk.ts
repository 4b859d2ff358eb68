import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Interaction, Risk, RiskLevel } from '../../../protocol/index.ts';
import { useStore } from '../state/store.ts';
import type { Input } from './job.ts';
import { risks } from './risks.ts';

/** The levels of the pending approvals, as far as they are known: for their order, another map only if it changes. */
export function useLevels(): ReadonlyMap<string, RiskLevel> {
  return useStore(risks.levels);
}

/** Changes with every level, also with those that make no difference for the order. */
export function useLevelCount(): number {
  return useStore(risks.count);
}

/**
 * The risk of a request, or of one whose input a person has edited; `undefined` until it is known, `null` if it cannot
 * be assessed.
 */
export function useRisk(interaction: Interaction, edited?: Input): Risk | null | undefined {
  const known = useSyncExternalStore(risks.subscribe, () => risks.get(interaction, edited));
  const [own, setOwn] = useState<{ interaction: Interaction; edited: Input | undefined; risk: Risk | null }>();
  useEffect(() => {
    if (known !== undefined) return undefined;
    let isLeft = false;
    void risks.assess(interaction, edited).then((risk) => {
      if (!isLeft) setOwn({ interaction, edited, risk });
    });
    return () => {
      isLeft = true;
    };
  }, [interaction, edited, known]);
  if (known !== undefined) return known;
  return own?.interaction.id === interaction.id && own.edited === edited ? own.risk : undefined;
}
