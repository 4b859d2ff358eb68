import type { ReactNode } from 'react';

/** The top of a view or list: its title and controls. */
export function ViewHeader({ title, aside, children }: { title: string; aside?: ReactNode; children?: ReactNode }) {
  return (
    <div className="shrink-0 border-b border-line px-4 py-2.5">
      <div className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1">
        <h1 className="text-lg font-semibold tracking-tight">{title}</h1>
        {children}
      </div>
      {aside}
    </div>
  );
}
