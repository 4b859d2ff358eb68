import { toAddress, type WindowClient, worker } from './worker.ts';

/** A page that lives answers sooner. One that does not is left where it is. */
const PATIENCE_MS = 500;

/** Whether somebody has the page in front of them. */
export async function isLookedAt(): Promise<boolean> {
  return (await findWindows()).some(isVisible);
}

/** Brings the page to the front with this view. `false`: the browser allows it only for a moment after a press. */
export async function openPath(path: string): Promise<boolean> {
  try {
    const open = await findLiving();
    if (open === undefined) await worker.clients.openWindow(toAddress(path));
    else {
      await open.focus();
      open.postMessage({ open: path });
    }
    return true;
  } catch {
    return false;
  }
}

// Other pages may be on the same host.
async function findWindows(): Promise<WindowClient[]> {
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  return windows.filter(({ url }) => url.startsWith(worker.registration.scope));
}

/**
 * A window that can be brought to the front. A page that is just being left is still listed, and a press allows one
 * attempt: who fails to focus it may not open another window any more.
 */
async function findLiving(): Promise<WindowClient | undefined> {
  const windows = await findWindows();
  const visible = windows.find(isVisible);
  if (visible !== undefined) return visible;
  const living = await Promise.all(windows.map(isThere));
  return windows.find((_, index) => living[index]);
}

function isVisible({ visibilityState }: WindowClient): boolean {
  return visibilityState === 'visible';
}

/** Whether the page answers. */
function isThere(page: WindowClient): Promise<boolean> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => resolve(true);
    setTimeout(() => resolve(false), PATIENCE_MS);
    page.postMessage({ isThere: true }, [port2]);
  });
}
