import type { AgentCanvasHandle, CallbackEvent } from 'beckon/react';

/** What a test does with the page. */
export interface TestPage {
  /** Everything that `onCallback` heard. */
  events: CallbackEvent[];
  /** Draws a tree with `render`. */
  render(json: unknown, options?: { isReadOnly?: boolean; hasOwn?: boolean }): void;
  /** Draws an empty canvas. */
  openCanvas(callbackUrl?: string): void;
  canvas(): AgentCanvasHandle;
}

declare global {
  var testPage: TestPage;
}
