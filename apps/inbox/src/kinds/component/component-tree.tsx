import type { Json } from 'beckon/protocol';
import { JsonView } from '../parts/json-view.tsx';
import { kindTexts } from '../texts.ts';

/**
 * What an agent shows, as text. TODO(issue 7): the renderer of `beckon/react` takes this place; it gets the same tree, and its
 * `onCallback` is the form's `onAction`.
 */
export function ComponentTree({ tree }: { tree: Json }) {
  return (
    <section
      aria-label={kindTexts.component.content}
      className="min-w-0 rounded-md border border-line bg-surface px-3 py-2.5"
    >
      <JsonView value={tree} />
    </section>
  );
}
