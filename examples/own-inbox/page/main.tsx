import 'beckon/react/cards.css';
import './page.css';
import { connectBeckon } from 'beckon/client';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Desk } from './desk.tsx';

const reply = await fetch('/session');
const { token, chatId, who } = (await reply.json()) as { token: string; chatId: string; who: string };
// One connection for the page, made once: the hooks share it.
const beckon = connectBeckon(`${location.origin}/beckon`, { token });

createRoot(document.querySelector('#root') as Element).render(
  <StrictMode>
    <Desk beckon={beckon} chatId={chatId} who={who} />
  </StrictMode>,
);
