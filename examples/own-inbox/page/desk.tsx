import type { Beckon } from 'beckon/client';
import { Inbox } from 'beckon/react';
import { useState } from 'react';
import { Conversation } from './conversation.tsx';

/** The app around the requests: its own look, its own buttons. */
export function Desk({ beckon, chatId, who }: { beckon: Beckon; chatId: string; who: string }) {
  const [view, setView] = useState<'inbox' | 'chat'>('inbox');
  return (
    <>
      <header className="top">
        <h1>Support desk</h1>
        <button type="button" onClick={() => setView(view === 'inbox' ? 'chat' : 'inbox')}>
          {view === 'inbox' ? 'Show the chat' : 'Show the inbox'}
        </button>
      </header>
      <main>
        {view === 'inbox' ? (
          <Inbox beckon={beckon} chatId={chatId} who={who} />
        ) : (
          <Conversation beckon={beckon} chatId={chatId} who={who} />
        )}
      </main>
    </>
  );
}
