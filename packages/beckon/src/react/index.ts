// Any name added here becomes public API. The stylesheet is `beckon/react/style.css`.
export { isSafeLink } from '../components/url.ts';
export { AgentCanvas, type AgentCanvasHandle, type AgentCanvasProps } from './agent-canvas.tsx';
export { Chart, type ChartDrawingProps } from './chart/chart.tsx';
export type { CallbackEvent, OnCallback, PartEvent, PartProps } from './events.ts';
export { readMarkdown } from './markdown/read.ts';
export type { MarkdownElement, MarkdownNode } from './markdown/tree.ts';
export { Content } from './nodes.tsx';
export { AgentTree, type AgentTreeProps, type OwnComponent, type OwnComponents, render } from './render.tsx';
export { SafeLink } from './safe-link.tsx';
export type { SendOptions } from './send-event.ts';
export { SendStatus } from './send-status.tsx';
export { type CallbackUrl, type SendState, useCallbackUrl } from './use-callback-url.ts';
