import { createContext, type RefObject, use, useEffect, useLayoutEffect, useState } from 'react';
import { useStore } from '../state/store.ts';
import { type Offer, PressWatch } from './press-watch.ts';

/** The page's only guard: there is one pointer and one keyboard. */
export const consent = new PressWatch();

/**
 * Whether the deciding controls should look disabled, because a press would be refused right now. It is right in the
 * first frame already: `useStore` would listen only after that, and the controls of a new request would look enabled.
 */
export function useIsInert(): boolean {
  const [isInert, setInert] = useState(consent.isInert.get);
  useLayoutEffect(() => {
    const read = (): void => setInert(consent.isInert.get());
    read();
    return consent.isInert.subscribe(read);
  }, []);
  return isInert;
}

/** The second step that is offered for a request, after a first press; `null` if none is. */
export function useOffer(id: string): Offer | null {
  return useStore(consent.offer, (offer) => (offer?.id === id ? offer : null));
}

/** The element around a form on somebody's own page, or `null` on ours; and whether it is on the screen. */
export const CardContext = createContext<{ element: Element | null; isOnScreen: boolean }>({
  element: null,
  isOnScreen: true,
});

/**
 * The controls for `id` are in sight from now on. When `content`, the matter to decide, changes, it must be seen
 * again.
 */
export function useInSight(id: string, content: string): void {
  const { element, isOnScreen } = use(CardContext);
  useLayoutEffect(() => (isOnScreen ? consent.show(id, element) : undefined), [id, content, element, isOnScreen]);
}

/** The same for what lies over the page while the component is mounted. */
export function useInSightOver(id: string, content: string): void {
  useLayoutEffect(() => consent.showOver(id), [id, content]);
}

/** Something covers the page while the component is mounted. */
export function useCover(): void {
  useLayoutEffect(() => {
    consent.showAgain();
    return () => consent.showAgain();
  }, []);
}

/** When what is known about the request changes, it must be seen again. */
export function useSeenWith(knowledge: string): void {
  useLayoutEffect(() => {
    if (knowledge !== '') consent.showAgain();
  }, [knowledge]);
}

/** The component stands for a part of the request that is still loading. */
export function useAwaited(): void {
  useLayoutEffect(() => consent.await(), []);
}

/** While `isAwaited`, something about the request is still being found out. Nobody has to wait longer than `mostMs`. */
export function useAwaitedAtMost(isAwaited: boolean, mostMs: number): void {
  useLayoutEffect(() => {
    if (!isAwaited) return undefined;
    let end: (() => void) | null = consent.await();
    const stop = (): void => {
      end?.();
      end = null;
    };
    const timer = setTimeout(stop, mostMs);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [isAwaited, mostMs]);
}

/** The deciding controls: the page's buttons, and those that an agent drew. */
const CONTROLS = '[data-decides], .drawn button';

/**
 * Notices when the controls in the element are moved by content above them or by a resize. Scrolling does not count.
 */
export function useSteady(element: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const pane = element.current;
    if (pane === null) return undefined;
    let before = readPlaces(pane);
    const observer = new ResizeObserver(() => {
      const places = readPlaces(pane);
      if (places !== before) consent.moved();
      before = places;
    });
    for (const part of pane.children) observer.observe(part);
    // A bar keeps its size when what is around it changes, but not its place.
    for (let part: Element | null = pane; part !== null; part = part.parentElement) observer.observe(part);
    return () => observer.disconnect();
  }, [element]);
}

function readPlaces(pane: HTMLElement): string {
  const controls = [...pane.querySelectorAll(CONTROLS)].map((control) => control.getBoundingClientRect());
  // The bar does not scroll: what appears over its buttons leaves them where they are.
  if (pane.hasAttribute('data-decision-bar')) {
    return controls.map(({ x, y }) => [x, y].map(Math.round).join()).join(' ');
  }
  const around = pane.getBoundingClientRect();
  const inside = (pane.firstElementChild ?? pane).getBoundingClientRect();
  const places = controls.map(({ x, y }) => [x - inside.x, y - inside.y]);
  return [[around.x, around.y], ...places].map((place) => place.map(Math.round).join()).join(' ');
}
