import { createContext, type ReactNode, type RefObject, use, useState } from 'react';
import { createPortal } from 'react-dom';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';
import { texts } from './texts.ts';

const SlotContext = createContext<HTMLElement | null>(null);

/**
 * Content that scrolls, and below it a bar that stays: at the bottom of the pane, full width on a phone. A form inside
 * puts its buttons there with `DecisionBar`. `above` stands in the bar over those buttons.
 */
export function DecisionBarFrame({
  barRef,
  above,
  children,
}: {
  barRef: RefObject<HTMLDivElement | null>;
  above?: ReactNode;
  children: ReactNode;
}) {
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  return (
    <SlotContext value={slot}>
      {children}
      <div
        ref={barRef}
        data-decision-bar
        className="relative z-10 shrink-0 border-t border-line bg-canvas pb-[env(safe-area-inset-bottom)] has-[>div>:empty:only-child]:hidden"
      >
        <div className="max-h-[50dvh] overflow-y-auto overscroll-contain">
          {above}
          <div ref={setSlot} className="empty:hidden" />
        </div>
      </div>
    </SlotContext>
  );
}

/**
 * The buttons of a form, in the decision bar of the request around it. They have the same place, order and size for
 * every kind:
 *
 * - `no` stands first and `yes` last, each one button (`DecisionButton`). On a phone they share the width.
 * - `more` are further buttons between them; on a phone they are behind "More".
 * - `note` stands above the buttons: what will happen, what is missing, what is remembered.
 *
 * The bar is outside the form in the document, so a button that submits needs `type="submit"` and the form's id as
 * `form`. Everything else works as if it were inside, because React passes events and context through.
 */
export function DecisionBar({
  yes,
  no,
  more,
  note,
}: {
  yes: ReactNode;
  no?: ReactNode;
  more?: ReactNode;
  note?: ReactNode;
}) {
  const slot = use(SlotContext);
  const [isOpen, setOpen] = useState(false);
  if (slot === null) return null;
  return createPortal(
    <div role="group" aria-label={texts.decision} className="@container flex flex-col gap-2 px-3 py-2.5 lg:px-6">
      {note && <div className="min-w-0 text-sm">{note}</div>}
      {more && isOpen && <div className="appear grid grid-cols-2 gap-2 *:min-w-0 @xl:hidden">{more}</div>}
      <div className="flex items-stretch gap-2">
        {no && <div className="flex min-w-24 *:flex-1 @max-xl:flex-1 @max-xl:pointer-coarse:*:min-h-12">{no}</div>}
        {more && <div className="hidden min-w-0 flex-1 flex-wrap items-center gap-2 @xl:flex">{more}</div>}
        {more && (
          <IconButton
            label={texts.more}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            className="order-last h-auto border border-line @xl:hidden"
          >
            <Icon name="more" />
          </IconButton>
        )}
        <div className="flex min-w-32 *:flex-1 @max-xl:flex-1 @max-xl:pointer-coarse:*:min-h-12 @xl:ml-auto">{yes}</div>
      </div>
    </div>,
    slot,
  );
}
