import { consent, keyboard } from 'beckon/react/parts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import './styles.css';

const root = document.getElementById('root');
if (root === null) throw new Error('Expected an element with the id "root" in index.html.');
// Before React, so no handler comes first.
consent.start();
keyboard.start();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

// Browsers have service workers only over HTTPS and on localhost.
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  void import('./notify/start-worker.ts').then(({ startWorker }) => startWorker()).catch(() => undefined);
}
