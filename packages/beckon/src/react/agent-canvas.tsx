import { type Ref, useImperativeHandle, useState } from 'react';
import type { OnCallback } from './events.ts';
import { AgentTree, type OwnComponents } from './render.tsx';
import { SendStatus } from './send-status.tsx';
import { useCallbackUrl } from './use-callback-url.ts';

/** How a program draws on the canvas. Each call is drawn at once; problems are shown in place. */
export interface AgentCanvasHandle {
  /** Replaces the content with a whole tree, as in a `component` event. */
  show(json: unknown, options?: { callbackUrl?: string | undefined }): void;
  /** Shows a partial tree, as in a `component_delta` event. Its controls send nothing yet. */
  showPartial(json: unknown): void;
  /** Adds a tree below the content. */
  append(json: unknown): void;
  clear(): void;
}

/** The props of `<AgentCanvas>`. */
export interface AgentCanvasProps {
  ref?: Ref<AgentCanvasHandle>;
  /** The initial tree. */
  initial?: unknown;
  /** Where events go, until `show` names another address. The canvas shows the person their state. */
  callbackUrl?: string | undefined;
  /** Also gets each event. Without an address, events go only here. */
  onCallback?: OnCallback | undefined;
  components?: OwnComponents | undefined;
}

interface Shown {
  items: readonly unknown[];
  isPartial: boolean;
  callbackUrl: string | undefined;
}

/** A place that an agent draws on through its `ref`. */
export function AgentCanvas({ ref, initial, callbackUrl, onCallback, components }: AgentCanvasProps) {
  const [shown, setShown] = useState<Shown>({ items: toItems(initial), isPartial: false, callbackUrl: undefined });
  const url = shown.callbackUrl ?? callbackUrl;
  const { state, send, retry, reset } = useCallbackUrl(url);

  useImperativeHandle(
    ref,
    () => ({
      show: (json, { callbackUrl: to } = {}) => {
        reset(to);
        setShown((last) => ({ items: toItems(json), isPartial: false, callbackUrl: to ?? last.callbackUrl }));
      },
      showPartial: (json) => setShown((last) => ({ ...last, items: toItems(json), isPartial: true })),
      append: (json) => setShown((last) => ({ ...last, items: [...last.items, ...toItems(json)] })),
      clear: () => setShown((last) => ({ ...last, items: [], isPartial: false })),
    }),
    [reset],
  );

  const isOpen = !shown.isPartial && (state.status === 'idle' || (state.status === 'failed' && state.canRetry));
  const report: OnCallback = (event) => {
    if (url !== undefined) send(event);
    onCallback?.(event);
  };
  const hasListener = url !== undefined || onCallback !== undefined;
  return (
    <div className="beckon-canvas">
      <AgentTree
        json={shown.items}
        components={components}
        onCallback={isOpen && hasListener ? report : undefined}
        isPartial={shown.isPartial}
      />
      {!shown.isPartial && <SendStatus state={state} onRetry={retry} />}
    </div>
  );
}

function toItems(json: unknown): readonly unknown[] {
  if (json === undefined || json === null) return [];
  return Array.isArray(json) ? json : [json];
}
