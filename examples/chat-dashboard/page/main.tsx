import 'beckon/react/style.css';
import './page.css';
import { createRoot } from 'react-dom/client';
import { Chat } from './chat.tsx';

// The same conversation after a reload; another one in another tab.
const chatId = sessionStorage.getItem('chat') ?? crypto.randomUUID();
sessionStorage.setItem('chat', chatId);

createRoot(document.querySelector('#root') as Element).render(<Chat id={chatId} />);
