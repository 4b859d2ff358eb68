import '../ui/beckon-components.css';
import { RequestBody as Body, type FormExtras } from 'beckon/react/parts';
import { type ComponentProps, lazy, Suspense, useMemo } from 'react';
import { useLoadContext } from '../context/use-load-context.ts';

const RememberDialog = lazy(() =>
  import('../rules/remember-dialog.tsx').then((module) => ({ default: module.RememberDialog })),
);

/** The request of `beckon/react`, with what this page adds: the whole context, and rules. */
export function RequestBody(props: Omit<ComponentProps<typeof Body>, 'extras'>) {
  const loadContext = useLoadContext();
  const extras = useMemo<FormExtras>(
    () => ({
      loadContext,
      renderRemember: (remember) => (
        <Suspense>
          <RememberDialog {...remember} />
        </Suspense>
      ),
    }),
    [loadContext],
  );
  return <Body {...props} extras={extras} />;
}
