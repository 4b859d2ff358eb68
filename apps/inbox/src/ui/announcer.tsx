import { Store, useStore } from '../state/store.ts';

/** Says something to people who do not see the page change. */
export class Announcer {
  readonly said = new Store('');

  say(text: string): void {
    // The same words twice would not be read twice.
    this.said.set(text === this.said.get() ? `${text}\u00a0` : text);
  }
}

/** The live region that is read out. */
export function AnnouncerRegion({ announcer }: { announcer: Announcer }) {
  const said = useStore(announcer.said);
  return (
    <div role="status" aria-live="polite" className="sr-only">
      {said}
    </div>
  );
}
