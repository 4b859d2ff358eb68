import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { consent } from '../consent/use-consent.ts';
import { Store, useStore } from '../state/store.ts';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';
import { texts } from './texts.ts';

/** How long a message stays. */
const SHOWN_MS = 6000;

interface Toast {
  id: number;
  text: string;
}

/** Messages at the edge of the page about what was just done. Screen readers read them out. */
export class Toasts {
  readonly shown = new Store<readonly Toast[]>([]);
  #lastId = 0;

  show(text: string): void {
    this.#lastId += 1;
    // Two at most, so fast work does not fill the screen.
    this.shown.set([...this.shown.get().slice(-1), { id: this.#lastId, text }]);
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
      className="pointer-events-none fixed right-3 bottom-36 left-3 z-30 flex flex-col items-end gap-2 lg:bottom-4"
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
      <Icon name="check" className="text-success" />
      <span className="flex-1">{toast.text}</span>
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
