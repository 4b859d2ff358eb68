import '../ui/beckon-components.css';
import type { Interaction } from 'beckon/protocol';
import { AnswerForm as Form, type FormExtras } from 'beckon/react/parts';
import { type ComponentProps, lazy, Suspense, useMemo } from 'react';
import { useLoadContext } from '../context/use-load-context.ts';

export { GroupForm } from 'beckon/react/parts';

const RememberDialog = lazy(() =>
  import('../rules/remember-dialog.tsx').then((module) => ({ default: module.RememberDialog })),
);

/** The form of `beckon/react`, with what this page adds: the whole context, and rules. */
export function AnswerForm(props: Omit<ComponentProps<typeof Form>, 'extras'> & { interaction: Interaction }) {
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
  return <Form {...props} extras={extras} />;
}
