import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';

const TONES = {
  neutral: 'border-line bg-surface',
  accent: 'border-transparent bg-accent-soft',
  success: 'border-transparent bg-success-soft',
  warning: 'border-transparent bg-warning-soft',
  danger: 'border-transparent bg-danger-soft',
} as const;

/** A message inside a view. `role="alert"` is for urgent ones. */
export function Notice({
  tone = 'neutral',
  icon,
  title,
  children,
  actions,
  role,
}: {
  tone?: keyof typeof TONES;
  icon?: IconName;
  title?: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  role?: 'alert' | 'status';
}) {
  return (
    <div role={role} className={classNames('flex gap-2.5 rounded-lg border px-3 py-2.5 text-sm', TONES[tone])}>
      {icon && <Icon name={icon} className="mt-0.5" />}
      <div className="min-w-0 flex-1 space-y-1 break-words">
        {title && <p className="font-medium">{title}</p>}
        {children}
        {actions && <div className="flex flex-wrap gap-2 pt-1">{actions}</div>}
      </div>
    </div>
  );
}
