import type { Context, Interaction } from '../../../../protocol/index.ts';
import type { LoadContext } from '../parts/kind-props.ts';
import { useLoaded } from '../parts/use-loaded.ts';

/**
 * What surrounds a request, beyond the part that every copy of it carries. It never changes, so it is read once.
 * Without `load`, or if it fails, there is only that part.
 */
export function useRequestContext(
  { id, context: summary }: Pick<Interaction, 'id' | 'context'>,
  load: LoadContext | undefined,
): { context: Context | undefined; isLoading: boolean } {
  const isWanted = summary?.hasMore === true && load !== undefined;
  const context = useLoaded(isWanted ? id : null, load);
  return { context: context ?? undefined, isLoading: isWanted && context === undefined };
}
