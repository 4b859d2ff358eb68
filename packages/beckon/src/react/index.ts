// Any name added here becomes public API. Components have `beckon/react/style.css`, cards `beckon/react/cards.css`.
export { isSafeLink } from '../components/url.ts';
export { AgentCanvas, type AgentCanvasHandle, type AgentCanvasProps } from './agent-canvas.tsx';
export { RequestCard, type RequestCardProps } from './cards/card/request-card.tsx';
export { Inbox, type InboxProps } from './cards/inbox/inbox.tsx';
export type { LoadContext, LoadPlans } from './cards/kinds/parts/kind-props.ts';
export { useAnswer } from './cards/live/use-answer.ts';
export { useRequest } from './cards/live/use-request.ts';
export { type Requests, useRequests } from './cards/live/use-requests.ts';
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
