import { Icon, type IconName } from 'beckon/react/parts';
import type { ReactNode } from 'react';

/** What a view shows if it is empty, and what to do about it. `isPage`: nothing else is on the page. */
export function EmptyState({
  icon,
  title,
  isPage = false,
  children,
}: {
  icon: IconName;
  title: string;
  isPage?: boolean;
  children?: ReactNode;
}) {
  const Title = isPage ? 'h1' : 'p';
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-16 text-center text-sm text-muted">
      <span className="mb-1 flex size-11 items-center justify-center rounded-full bg-hover">
        <Icon name={icon} className="size-5" />
      </span>
      <Title className="text-base font-medium text-ink">{title}</Title>
      {children && <div className="max-w-sm space-y-3">{children}</div>}
    </div>
  );
}
