import type { PreviewItem } from 'beckon/client';
import { Notice } from 'beckon/react/parts';
import { type ReactNode, useEffect, useRef } from 'react';
import { PreviewList } from './preview-list.tsx';
import { texts } from './texts.ts';

/** What people decided otherwise than a rule would, and the button that saves it nevertheless. */
export function Contradiction({ items, children }: { items: readonly PreviewItem[]; children?: ReactNode }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <Notice tone="warning" icon="warning">
      <h3 ref={title} tabIndex={-1} className="font-medium outline-none">
        {items.length === 0 ? texts.contradiction.unknown : texts.contradiction.title(items.length)}
      </h3>
      <p>{texts.contradiction.hint}</p>
      {items.length > 0 && <PreviewList label={texts.contradiction.list} items={items} />}
      {children && <div className="pt-2">{children}</div>}
    </Notice>
  );
}
