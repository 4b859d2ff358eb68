/** What the child reports at its end. */
export interface Told {
  type: 'done';
  /** Bytes of the heap in use after the warm-up. */
  before: number;
  /** Bytes of the heap in use after everything. */
  after: number;
  /** Listeners that are left on a signal that many waits shared. */
  listeners: number;
  /** What keeps the process alive after `close`. */
  resources: string[];
}
