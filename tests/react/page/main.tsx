import 'beckon/react/style.css';
import './page.css';
import { AgentCanvas, type AgentCanvasHandle, type CallbackEvent, render } from 'beckon/react';
import { createElement, createRef } from 'react';
import { createRoot } from 'react-dom/client';
import type {} from '../test-page.ts';

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
  // Under a shipped name: the look changes, the checks stay.
  citation: ({ title }: { title: string }) => <p>Source {title}</p>,
  bomb: () => {
    throw new Error('it went off');
  },
};

globalThis.testPage = {
  events,
  render: (json, { isReadOnly = false, hasOwn = false } = {}) =>
    root.render(render(json, hasOwn ? OWN : undefined, isReadOnly ? undefined : (event) => events.push(event))),
  openCanvas: (callbackUrl) => root.render(createElement(AgentCanvas, { ref: canvas, callbackUrl })),
  canvas: () => {
    if (canvas.current === null) throw new Error('Expected an open canvas.');
    return canvas.current;
  },
};
