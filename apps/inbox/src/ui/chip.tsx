import { classNames } from 'beckon/react/parts';
import type { ReactNode } from 'react';

/** A choice that is on or off, with how many it stands for. */
export function Chip({
  isOn,
  count,
  onChange,
  children,
}: {
  isOn: boolean;
  count?: number;
  onChange: () => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onChange}
      className={classNames(
        'inline-flex min-h-6 max-w-full items-center gap-1 rounded-full border px-2 text-xs pointer-coarse:min-h-9',
        isOn ? 'border-accent bg-accent-soft text-accent-text' : 'border-line bg-surface text-muted hover:text-ink',
      )}
    >
      <bdi className="truncate">{children}</bdi>
      {count !== undefined && <span className="tabular-nums">{count}</span>}
    </button>
  );
}
