import { type ComponentType, createContext, useContext } from 'react';
import type { Registry } from '../components/component.ts';
import type { OnCallback } from './events.ts';

/** What the parts of one tree share. */
export interface Surroundings {
  registry: Registry;
  /** The React components by `type`. Each gets props that its schema has checked. */
  // oxlint-disable-next-line typescript/no-explicit-any -- each view has other props, which its schema checks
  views: Readonly<Record<string, ComponentType<any>>>;
  /** Absent if nobody listens. */
  onCallback: OnCallback | undefined;
  /** Whether the tree is still being written. Missing props are then expected. */
  isPartial: boolean;
}

export const SurroundingsContext = createContext<Surroundings | null>(null);

/** What the parts of the tree around share. Throws outside `render` and `<AgentCanvas>`. */
export function useSurroundings(): Surroundings {
  const surroundings = useContext(SurroundingsContext);
  if (surroundings === null) throw new Error('Expected to be inside render() or <AgentCanvas>.');
  return surroundings;
}
