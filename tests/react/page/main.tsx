import 'beckon/react/style.css';
import './page.css';
import { AgentCanvas, type AgentCanvasHandle, type CallbackEvent, render } from 'beckon/react';
import { createElement, createRef } from 'react';
import { createRoot } from 'react-dom/client';

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
  interface Window {
    testPage: TestPage;
  }
}

const root = createRoot(document.querySelector('#root') as Element);
const canvas = createRef<AgentCanvasHandle>();
const events: CallbackEvent[] = [];

/** Own components: one that works, and one that fails while it is drawn. */
const OWN = {
  gauge: ({ value, onCallback }: { value: number; onCallback?: (event: object) => void }) => (
    <button type="button" onClick={() => onCallback?.({ action: 'click', data: { value } })}>
      Gauge {value}
    </button>
  ),
  bomb: () => {
    throw new Error('it went off');
  },
};

window.testPage = {
  events,
  render: (json, { isReadOnly = false, hasOwn = false } = {}) =>
    root.render(render(json, hasOwn ? OWN : undefined, isReadOnly ? undefined : (event) => events.push(event))),
  openCanvas: (callbackUrl) => root.render(createElement(AgentCanvas, { ref: canvas, callbackUrl })),
  canvas: () => {
    if (canvas.current === null) throw new Error('Expected an open canvas.');
    return canvas.current;
  },
};
