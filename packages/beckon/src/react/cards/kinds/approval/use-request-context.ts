import { useEffect, useState } from 'react';
import type { Context, Interaction } from '../../../../protocol/index.ts';
import type { LoadContext } from '../parts/kind-props.ts';

/**
 * What surrounds a request, beyond the part that every copy of it carries. It never changes, so it is read once.
 * Without `load`, or if it fails, there is only that part.
 */
export function useRequestContext(
  { id, context: summary }: Pick<Interaction, 'id' | 'context'>,
  load: LoadContext | undefined,
): { context: Context | undefined; isLoading: boolean } {
  const isWanted = summary?.hasMore === true && load !== undefined;
  const [found, setFound] = useState<{ id: string; context: Context | undefined }>();
  useEffect(() => {
    if (!isWanted) return undefined;
    let isLeft = false;
    const take = (context: Context | null): void => {
      if (!isLeft) setFound({ id, context: context ?? undefined });
    };
    load(id).then(take, () => take(null));
    return () => {
      isLeft = true;
    };
  }, [id, isWanted, load]);
  const own = found?.id === id ? found : undefined;
  return { context: own?.context, isLoading: isWanted && own === undefined };
}
