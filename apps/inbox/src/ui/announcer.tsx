import { Store, useStore } from 'beckon/react/parts';

/** Announces changes to screen readers. */
export class Announcer {
  readonly said = new Store('');

  say(text: string): void {
    // Screen readers do not repeat an unchanged text.
    this.said.set(text === this.said.get() ? `${text}\u00a0` : text);
  }
}

/** The live region that screen readers read out. */
export function AnnouncerRegion({ announcer }: { announcer: Announcer }) {
  const said = useStore(announcer.said);
  return (
    <div role="status" aria-live="polite" className="sr-only">
      {said}
    </div>
  );
}
