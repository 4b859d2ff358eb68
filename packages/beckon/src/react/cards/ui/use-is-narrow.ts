import { useSyncExternalStore } from 'react';

const QUERY = '(max-width: 639px)';

/** Whether the page is as narrow as on a phone. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const media = matchMedia(QUERY);
      media.addEventListener('change', onChange);
      return () => media.removeEventListener('change', onChange);
    },
    () => matchMedia(QUERY).matches,
  );
}
