import type { Interaction } from 'beckon/protocol';
import { lazy, type ReactNode, Suspense } from 'react';

const ConversationDrawer = lazy(() =>
  import('./conversation-drawer.tsx').then((module) => ({ default: module.ConversationDrawer })),
);

/** The request, and beside it the conversation so far: over the request where there is no room, never over its bar. */
export function BesideConversation({
  interaction,
  isOpen,
  onClose,
  children,
}: {
  interaction: Interaction;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <div className="relative flex min-h-0 flex-1">
      {children}
      {isOpen && (
        <Suspense>
          <ConversationDrawer interaction={interaction} onClose={onClose} />
        </Suspense>
      )}
    </div>
  );
}
