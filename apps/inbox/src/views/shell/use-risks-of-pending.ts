import { risks } from 'beckon/react/parts';
import { useEffect } from 'react';
import { usePending } from '../../live/use-pending.ts';

/** Finds the risk of everything that is pending, while the component is mounted. */
export function useRisksOfPending(): void {
  const { items } = usePending();
  useEffect(() => risks.follow(items), [items]);
}
