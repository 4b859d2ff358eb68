import { type RefObject, useEffect, useLayoutEffect } from 'react';
import { useStore } from '../state/store.ts';
import { PressWatch } from './press-watch.ts';

/** The one guard of the page: there is one pointer, one keyboard, and one interaction in sight. */
export const consent = new PressWatch();

/** Whether the controls that decide should look as if they could not be pressed: for a moment, they cannot. */
export function useIsInert(): boolean {
  return useStore(consent.isInert);
}

/** The controls that decide `id` are in sight from now on. `content` is what is decided on: when it changes, it has to be seen again. */
export function useInSight(id: string, content: string): void {
  useLayoutEffect(() => {
    consent.show(id);
    return () => consent.show(null);
  }, [id, content]);
}

/** Something lies over the page for as long as the component is there. */
export function useCover(): void {
  useLayoutEffect(() => {
    consent.showAgain();
    return () => consent.showAgain();
  }, []);
}

/** The component stands for a part of what is to be decided on that has not come yet. */
export function useAwaited(): void {
  useLayoutEffect(() => consent.await(), []);
}

/** What decides: the buttons of the page, and those that an agent drew. */
const CONTROLS = '[data-decides], .drawn button';

/** Notices when the controls in the element are moved by something above them, or by the size of the window. Scrolling moves nothing. */
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
    for (const part of [pane, ...pane.children]) observer.observe(part);
    return () => observer.disconnect();
  }, [element]);
}

function readPlaces(pane: HTMLElement): string {
  const around = pane.getBoundingClientRect();
  const inside = (pane.firstElementChild ?? pane).getBoundingClientRect();
  const controls = [...pane.querySelectorAll(CONTROLS)].map((control) => control.getBoundingClientRect());
  const places = controls.map(({ x, y }) => [x - inside.x, y - inside.y]);
  return [[around.x, around.y], ...places].map((place) => place.map(Math.round).join()).join(' ');
}
