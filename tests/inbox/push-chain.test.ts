/// <reference lib="dom" />
import { createECDH, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PersonalDestination } from '../../packages/beckon/src/protocol/destination.ts';
import { createTemporaryFolder } from '../../packages/beckon/src/testing/harness/temporary-folder.ts';
import { PushService } from '../harness/push-service.ts';
import { runAxe } from './axe.ts';
import { describeOnDesktop, PushBench } from './push-bench.ts';

let service: PushService;
let bench: PushBench;
let asks = 0;

describeOnDesktop('from an ask to a notification, through a proxy and a push service, sealed all the way', () => {
  beforeAll(async () => {
    service = await PushService.open();
    const folder = createTemporaryFolder('beckon-push-');
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    await writeFile(cert, service.certificate.cert);
    await writeFile(key, service.certificate.key);
    bench = await PushBench.open({
      upArgs: ['--allow-destination', '127.0.0.1', '--trusted-proxy', 'loopback'],
      env: { NODE_EXTRA_CA_CERTS: cert },
      flags: service.flags,
      front: { cert, key, prefix: '/beckon' },
    });
    await standInForGoogle();
    await letPageHide();
  });
  afterAll(async () => {
    await bench?.close();
    await service?.close();
  });

  test('a person turns notifications on, and the browser proves by itself that they arrive', async () => {
    const section = await openSettings();
    await section.getByText('Off. Turn them on').waitFor();
    expect(await runAxe(bench.page)).toEqual([]);
    await section.getByRole('button', { name: 'Turn on' }).click();
    await section.getByText('On. This browser is told').waitFor();
    expect(await bench.shown('Notifications are on')).toMatchObject({ actions: [] });
    const [destination] = await list();
    expect(destination).toMatchObject({ kind: 'push', label: 'Chrome on Linux', provenAt: expect.any(String) });
    await bench.page.keyboard.press('Escape');
  });

  test('a test arrives', async () => {
    const section = await openSettings();
    await section.getByRole('button', { name: 'Send a test' }).click();
    await section.getByText('Sent. It arrives in a moment.').waitFor();
    const shown = await bench.shown('A test from Beckon');
    expect(shown).toMatchObject({ words: 'Notifications reach you here.', actions: [] });
    bench.desktop.dismiss(shown);
    await bench.page.keyboard.press('Escape');
  });

  test('whoever has the page in sight gets no push; when they leave, one comes, and its button answers', async () => {
    const before = service.accepted.length;
    const { id, title } = await askToRun();
    await bench.page.getByRole('link', { name: title }).first().waitFor();
    await expect.poll(async () => (await list())[0]?.waiting).toBe(1);
    expect(service.accepted).toHaveLength(before);
    await setHidden(true);
    const notification = await bench.shown(title);
    expect(notification.words).toContain(title);
    await expect.poll(() => rests()).toBe(true);
    bench.desktop.press(notification, 'Allow');
    expect(await bench.settled(id)).toMatchObject({
      answer: { decision: 'allow' },
      answeredBy: { via: 'notification', kind: 'person' },
    });
    await setHidden(false);
    await expect.poll(() => bench.titles()).not.toContain(title);
  });

  test('a press opens the request below the path of the page', async () => {
    await setHidden(true);
    const { id, title } = await askToRun();
    await bench.shown(title);
    const pressUntilOpen = (): string => {
      // A busy browser may not know yet under which number the desktop shows it, and a person presses once more.
      const notification = bench.desktop.open.find((one) => one.title === title);
      if (notification !== undefined) bench.desktop.press(notification);
      return bench.page.url();
    };
    await expect.poll(pressUntilOpen, { interval: 2000, timeout: 60_000 }).toBe(`${bench.pageUrl}/i/${id}`);
    await bench.page.getByRole('article').getByText(title).first().waitFor();
  });

  test('what is answered elsewhere is replaced and goes', async () => {
    await setHidden(true);
    const { id, title } = await askToRun();
    const { id: place } = await bench.shown(title);
    // The page would close it first.
    await bench.page.goto('about:blank');
    await bench.answer(id, { decision: 'deny' });
    await expect
      .poll(() => bench.desktop.shown.filter((one) => one.id === place).at(-1)?.title)
      .toMatch(/^Denied by .+ \(says: in Telegram\)$/);
    await expect.poll(() => bench.titles().filter((one) => one.startsWith('Denied'))).toEqual([]);
    await bench.page.goto(`${bench.pageUrl}/`);
  });

  test('a hidden page that shows notifications itself does not show the same one again', async () => {
    await openSettings();
    await bench.page.getByRole('switch', { name: 'Browser notifications' }).click();
    await bench.page.keyboard.press('Escape');
    await setHidden(true);
    const pushed = await askToRun();
    await bench.shown(pushed.title);
    // Paused, so that the page shows the next one itself. By then it would have shown the first.
    await turn(false, 'Paused.');
    const own = await askToRun();
    await bench.shown(own.title);
    for (const { title } of [pushed, own]) {
      expect(bench.desktop.shown.filter((one) => one.title === title)).toHaveLength(1);
    }
    await turn(true, 'On. This browser is told');
    // It closes what was pushed as soon as it hears of the answer.
    await bench.answer(pushed.id, { decision: 'deny' });
    await expect.poll(() => bench.titles()).not.toContain(pushed.title);
    await setHidden(false);
  });

  test('nothing of a request is readable on the way', () => {
    expect(service.accepted.length).toBeGreaterThan(5);
    for (const { headers, body } of service.accepted) {
      expect(JSON.stringify(headers) + body.toString('latin1')).not.toMatch(/npm run|webshop/);
    }
  });

  test('a subscription that the push service forgot is forgotten, and the settings say so', async () => {
    service.forget(service.accepted.at(-1)?.token ?? '');
    const section = await openSettings();
    await section.getByRole('button', { name: 'Send a test' }).click();
    await section.getByText('Not sent: HTTP 410').waitFor();
    await section.getByText('Off. Turn them on').waitFor();
    expect(await list()).toEqual([]);
    await section.getByRole('button', { name: 'Turn on' }).click();
    await section.getByText('On. This browser is told').waitFor();
  });

  test('a browser that gets another address says so by itself, keeps its settings, and is proven again', async () => {
    const [before] = await list();
    const { publicKey } = await bench.call<{ publicKey: string }>('/v1/push-key');
    const endpoint = service.subscribe(publicKey);
    await (await bench.worker()).evaluate(
      ({ subscription }) => {
        const event = new Event('pushsubscriptionchange');
        dispatchEvent(
          Object.assign(event, { waitUntil: () => undefined, newSubscription: { toJSON: () => subscription } }),
        );
      },
      { subscription: { endpoint, keys: createKeys() } },
    );
    await expect.poll(() => service.accepted.at(-1)?.token).toBe(endpoint.split('/').at(-1));
    expect(await list()).toMatchObject([{ id: before?.id, label: 'Chrome on Linux' }]);
    expect((await list())[0]?.provenAt).toBeUndefined();
  });

  test('turned off, nothing is left here or at Beckon', async () => {
    const section = bench.page.getByRole('region', { name: 'Notifications on this device' });
    await section.getByRole('button', { name: 'Turn off' }).click();
    await section.getByText('Off. Turn them on').waitFor();
    expect(await list()).toEqual([]);
    const isSubscribed = bench.page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      return (await registration.pushManager.getSubscription()) !== null;
    });
    expect(await isSubscribed).toBe(false);
  });
});

/** The keys of a browser that nobody has. */
function createKeys(): { p256dh: string; auth: string } {
  return {
    p256dh: createECDH('prime256v1').generateKeys('base64url'),
    auth: randomBytes(16).toString('base64url'),
  };
}

async function openSettings() {
  await bench.page.getByRole('button', { name: 'Settings' }).click();
  const section = bench.page.getByRole('region', { name: 'Notifications on this device' });
  await section.waitFor();
  return section;
}

/** Pauses this browser as a command does, or lets it go on, and lets the page see that. */
async function turn(isOn: boolean, state: string): Promise<void> {
  const [destination] = await list();
  await bench.call(`/v1/destinations/${destination?.id}`, { isOn }, 'PATCH');
  await (await openSettings()).getByText(state).waitFor();
  await bench.page.keyboard.press('Escape');
}

async function list(): Promise<PersonalDestination[]> {
  return (await bench.call<{ items: PersonalDestination[] }>('/v1/destinations')).items;
}

/** Asks for something routine that no other test asks for. More than five within a minute would be told as one. */
async function askToRun(): Promise<{ id: string; title: string }> {
  asks += 1;
  const title = `npm run step-${asks}`;
  const request = { tool: 'Bash', input: { command: title } };
  return { id: await bench.ask({ kind: 'approval', request, context: { project: 'webshop' } }), title };
}

/** Whether everything on the screen has rested for a second, by the clock of the machine. */
async function rests(): Promise<boolean> {
  const newest = await (await bench.worker()).evaluate(async () => {
    const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration };
    const shown = await registration.getNotifications();
    return Math.max(...shown.map(({ data }) => (data as { shownAt: number }).shownAt));
  });
  return Date.now() - newest > 1000;
}

/** Chromium names Google's host in its endpoints. The stand-in has the same paths. */
async function standInForGoogle(): Promise<void> {
  await bench.context.route('**/v1/destinations', async (route) => {
    const request = route.request();
    if (request.method() !== 'POST') return route.continue();
    const draft = request.postDataJSON() as { subscription: { endpoint: string } };
    const { pathname } = new URL(draft.subscription.endpoint);
    draft.subscription.endpoint = `${service.url}${pathname}`;
    await route.continue({ postData: JSON.stringify(draft) });
  });
}

/** A browser without windows never hides a page, so a test says when it is. */
async function letPageHide(): Promise<void> {
  await bench.page.addInitScript(() => {
    let isHidden = false;
    Object.defineProperty(document, 'hidden', { get: () => isHidden });
    addEventListener('set-hidden', (event) => {
      isHidden = (event as CustomEvent<boolean>).detail;
      document.dispatchEvent(new Event('visibilitychange'));
    });
  });
  await bench.page.reload();
}

function setHidden(isHidden: boolean): Promise<void> {
  return bench.page.evaluate((detail) => void dispatchEvent(new CustomEvent('set-hidden', { detail })), isHidden);
}
