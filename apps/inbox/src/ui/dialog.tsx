import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { texts } from '../texts.ts';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';

/**
 * A dialog over the page. Radix keeps the focus inside and gives it back. Its own overlay is not used: that would add a style
 * element, which the page's CSP forbids.
 */
export function Dialog({
  title,
  description,
  children,
  footer,
  onClose,
}: {
  title: string;
  description?: string;
  children?: ReactNode;
  footer?: ReactNode;
  onClose: () => void;
}) {
  return (
    <Radix.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Portal>
        <div className="appear fixed inset-0 z-40 bg-black/40" aria-hidden="true" />
        <Radix.Content
          className="fixed inset-x-3 top-1/2 z-50 mx-auto flex max-h-[calc(100dvh-2rem)] max-w-lg -translate-y-1/2 flex-col rounded-lg border border-line bg-raised shadow-pop"
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
