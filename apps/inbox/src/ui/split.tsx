import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** A list and the open item beside it. On narrow screens the open item replaces the list. */
export function Split({ list, detail, isOpen }: { list: ReactNode; detail: ReactNode; isOpen: boolean }) {
  return (
    <div className="flex h-full">
      <div
        className={classNames(
          'min-h-0 w-full min-w-0 flex-col bg-canvas lg:flex lg:w-88 lg:shrink-0 lg:border-r lg:border-line',
          isOpen ? 'hidden' : 'flex',
        )}
      >
        {list}
      </div>
      <div className={classNames('min-h-0 min-w-0 flex-1 bg-surface lg:block', isOpen ? 'block' : 'hidden')}>
        {detail}
      </div>
    </div>
  );
}
