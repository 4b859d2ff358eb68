// The service worker: it keeps the page, so it opens without the daemon, and shows what is pushed.
import { guard } from './guard.ts';
import { handlePress } from './press.ts';
import { handlePush } from './push.ts';
import { renew } from './register.ts';
import { keepShell } from './shell.ts';
import { worker } from './worker.ts';

keepShell();

worker.addEventListener('push', (event) => event.waitUntil(handlePush(event)));
worker.addEventListener('notificationclick', (event) => event.waitUntil(handlePress(event, Date.now())));
worker.addEventListener('notificationclose', () => guard.changed(Date.now()));
worker.addEventListener('pushsubscriptionchange', (event) =>
  event.waitUntil(renew(event.newSubscription ?? null, event.oldSubscription ?? null)),
);
