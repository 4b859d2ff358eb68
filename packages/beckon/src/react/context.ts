import { type ComponentType, createContext, useContext } from 'react';
import type { Registry } from '../components/component.ts';
import type { OnCallback } from './events.ts';

/** What the parts of one tree share. */
export interface Surroundings {
  registry: Registry;
  /** The React components by the name that stands in `type`. Each gets props that its schema has checked. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the props differ from view to view, and their schemas hold them
  views: Readonly<Record<string, ComponentType<any>>>;
  /** Absent where nobody listens. */
  onCallback: OnCallback | undefined;
  /** Whether the tree is still being written: what is missing is then on its way, and no problem. */
  isPartial: boolean;
}

export const SurroundingsContext = createContext<Surroundings | null>(null);

/** What surrounds a part. Throws outside of `render` and `<AgentCanvas>`. */
export function useSurroundings(): Surroundings {
  const surroundings = useContext(SurroundingsContext);
  if (surroundings === null) throw new Error('Expected to be inside of render() or <AgentCanvas>.');
  return surroundings;
}
