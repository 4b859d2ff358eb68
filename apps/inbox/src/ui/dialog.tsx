import { classNames, Icon, IconButton, useCover } from 'beckon/react/parts';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { texts } from './texts.ts';

/**
 * A dialog over the page. Radix traps the focus; closing returns it. Radix's own overlay would add a style element,
 * which the CSP forbids, so the dialog has its own.
 */
export function Dialog({
  title,
  description,
  children,
  footer,
  size = 'normal',
  onClose,
}: {
  title: string;
  description?: string;
  children?: ReactNode;
  footer?: ReactNode;
  size?: 'normal' | 'wide';
  onClose: () => void;
}) {
  useCover();
  // The first render happens before Radix moves the focus.
  const [opener] = useState(() => document.activeElement);
  return (
    <Radix.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Portal>
        <div className="appear fixed inset-0 z-40 bg-black/40" aria-hidden="true" />
        <Radix.Content
          className={classNames(
            'fixed inset-x-3 top-1/2 z-50 mx-auto flex max-h-[calc(100dvh-2rem)] -translate-y-1/2 flex-col rounded-lg border border-line bg-raised shadow-pop',
            size === 'wide' ? 'max-w-2xl' : 'max-w-lg',
          )}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            giveFocusBack(opener);
          }}
          {...(description === undefined && { 'aria-describedby': undefined })}
        >
          <div className="flex items-center gap-2 border-b border-line py-2 pr-2 pl-4">
            <Radix.Title className="flex-1 font-semibold">{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton label={texts.close}>
                <Icon name="close" />
              </IconButton>
            </Radix.Close>
          </div>
          <div className="space-y-3 overflow-y-auto p-4 text-sm">
            {description !== undefined && <Radix.Description className="text-muted">{description}</Radix.Description>}
            {children}
          </div>
          {footer && <div className="flex flex-wrap justify-end gap-2 border-t border-line p-3">{footer}</div>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

// If the opener is gone, the focus goes to the main content. An element that took the focus meanwhile keeps it.
function giveFocusBack(opener: Element | null): void {
  if (document.activeElement !== document.body || opener === document.body) return;
  if (opener instanceof HTMLElement) opener.focus();
  if (document.activeElement === document.body) document.getElementById('content')?.focus();
}
