import { consent, Icon, IconButton, Store, useStore } from 'beckon/react/parts';
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { texts } from './texts.ts';

/** How long a message stays. */
const SHOWN_MS = 6000;

/** `note`: nothing was done, and the message says why. */
type ToastLook = 'done' | 'note';

interface Toast {
  id: number;
  text: string;
  look: ToastLook;
}

/** Messages at the edge of the page about what was just done. Screen readers read them out. */
export class Toasts {
  readonly shown = new Store<readonly Toast[]>([]);
  #lastId = 0;

  show(text: string, look: ToastLook = 'done'): void {
    this.#lastId += 1;
    // Two at most, so fast work does not fill the screen.
    this.shown.set([...this.shown.get().slice(-1), { id: this.#lastId, text, look }]);
  }

  close(id: number): void {
    this.shown.set(this.shown.get().filter((toast) => toast.id !== id));
  }
}

/** The place of the messages. It always exists, because screen readers watch only regions they know. */
export function ToastRegion({ toasts }: { toasts: Toasts }) {
  const shown = useStore(toasts.shown);
  return (
    <div
      role="status"
      // Not over the decision bar: at the top of a phone, over the list of a wide screen.
      className="pointer-events-none fixed top-[calc(env(safe-area-inset-top)+0.5rem)] right-3 left-3 z-30 flex flex-col items-center gap-2 lg:top-auto lg:bottom-14 lg:left-54 lg:items-start"
    >
      {shown.map((toast) => (
        <ToastMessage key={toast.id} toast={toast} onClose={() => toasts.close(toast.id)} />
      ))}
    </div>
  );
}

function ToastMessage({ toast, onClose }: { toast: Toast; onClose: () => void }) {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const timer = setTimeout(() => close(), SHOWN_MS);
    return () => clearTimeout(timer);
  }, []);
  const element = useRef<HTMLDivElement>(null);
  // A press that was meant for the toast must not hit a button that it covered.
  useLayoutEffect(() => {
    const toastElement = element.current;
    return () => {
      if (toastElement !== null && coversDecision(toastElement)) consent.moved();
    };
  }, []);
  return (
    <div
      ref={element}
      className="appear pointer-events-auto flex max-w-sm items-center gap-2 rounded-lg border border-line bg-raised py-1 pr-1 pl-3 text-sm shadow-pop"
    >
      <Icon
        name={toast.look === 'done' ? 'check' : 'warning'}
        className={toast.look === 'done' ? 'text-success' : 'text-warning'}
      />
      <bdi className="line-clamp-3 min-w-0 flex-1 py-1 [overflow-wrap:anywhere]">{toast.text}</bdi>
      <IconButton label={texts.close} onClick={onClose}>
        <Icon name="close" />
      </IconButton>
    </div>
  );
}

function coversDecision(toast: Element): boolean {
  const box = toast.getBoundingClientRect();
  return [...document.querySelectorAll('[data-decides]')].some((control) => {
    const { left, right, top, bottom } = control.getBoundingClientRect();
    return left < box.right && right > box.left && top < box.bottom && bottom > box.top;
  });
}
