import { useEffect, useEffectEvent, useState } from 'react';

/**
 * What `load` gives for a key; `undefined` until then, and `null` if it fails. It is read once for each key, and never
 * for `null`.
 */
export function useLoaded<Value>(
  key: string | null,
  load: ((key: string) => Promise<Value>) | undefined,
): Value | null | undefined {
  const [found, setFound] = useState<{ key: string; value: Value | null }>();
  const loadNow = useEffectEvent(async (wanted: string) => (load === undefined ? null : load(wanted)));
  useEffect(() => {
    if (key === null) return undefined;
    let isLeft = false;
    const take = (value: Value | null): void => {
      if (!isLeft) setFound({ key, value });
    };
    loadNow(key).then(take, () => take(null));
    return () => {
      isLeft = true;
    };
  }, [key]);
  return found?.key === key ? found.value : undefined;
}
