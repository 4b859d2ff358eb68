import type { ComponentProps } from 'react';
import { keyboard } from '../keyboard/keyboard.ts';
import { classNames } from './class-names.ts';

const LOOKS = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover border-transparent',
  secondary: 'bg-surface text-ink border-line hover:bg-hover',
  quiet: 'bg-transparent text-muted border-transparent hover:bg-hover hover:text-ink',
  danger: 'bg-surface text-danger border-line hover:bg-danger-soft',
} as const;

/** The looks of a button. A view has at most one `primary`. */
export type ButtonLook = keyof typeof LOOKS;

/** The classes of a button, for links that look like one. */
export function buttonClasses(look: ButtonLook = 'secondary', size: 'small' | 'normal' = 'normal'): string {
  return classNames(
    'tap inline-flex items-center justify-center gap-1.5 rounded-md border font-medium transition duration-100 select-none',
    'disabled:opacity-60 aria-disabled:cursor-default aria-disabled:opacity-60',
    size === 'small' ? 'px-2 py-1 text-xs' : 'px-3 py-1.5 text-sm',
    LOOKS[look],
  );
}

/** A button that submits only with `type="submit"`. */
export function Button({
  look = 'secondary',
  size = 'normal',
  className,
  type = 'button',
  'aria-keyshortcuts': shortcut,
  ...rest
}: ComponentProps<'button'> & { look?: ButtonLook; size?: 'small' | 'normal' }) {
  return (
    <button
      type={type}
      className={classNames(buttonClasses(look, size), className)}
      // Screen readers hear only of keys that work.
      aria-keyshortcuts={keyboard.isStarted ? shortcut : undefined}
      {...rest}
    />
  );
}

/** A button with only an icon; `label` is its name. */
export function IconButton({
  label,
  className,
  type = 'button',
  ...rest
}: Omit<ComponentProps<'button'>, 'aria-label'> & { label: string }) {
  return (
    <button
      type={type}
      aria-label={label}
      title={label}
      className={classNames(
        'tap inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted transition-colors duration-100 hover:bg-hover hover:text-ink disabled:opacity-50',
        className,
      )}
      {...rest}
    />
  );
}
