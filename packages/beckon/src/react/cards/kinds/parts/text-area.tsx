import type { ComponentProps, KeyboardEvent } from 'react';
import { classNames } from '../../ui/class-names.ts';

/**
 * A text area that grows with its content. With `onEnter`, Enter calls it and Shift+Enter starts a line; without,
 * Enter starts a line and Ctrl+Enter submits the form.
 */
export function TextArea({
  onEnter,
  className,
  ...rest
}: ComponentProps<'textarea'> & { onEnter?: (() => void) | undefined }) {
  const listen = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      event.currentTarget.form?.requestSubmit();
    } else if (onEnter !== undefined && !event.shiftKey) {
      event.preventDefault();
      onEnter();
    }
  };
  return (
    <textarea
      dir="auto"
      onKeyDown={listen}
      className={classNames('field block max-h-96 min-h-16 w-full resize-y text-sm [field-sizing:content]', className)}
      {...rest}
    />
  );
}
