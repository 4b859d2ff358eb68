import type { ReactNode } from 'react';

/** The top of a view or of a list: its title, and what can be done there. */
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
