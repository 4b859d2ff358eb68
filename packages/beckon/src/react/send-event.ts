import type { CallbackEvent } from './events.ts';

/** How to send an event. */
export interface SendOptions {
  /** How long to wait before each new try, in milliseconds. Default 300, 1,000, 3,000 and 8,000. */
  delaysMs?: readonly number[];
}

/** What became of an event. `status` is that of the last reply; absent where there was none. */
export type SendResult = { ok: true } | { ok: false; status: number | undefined; isFinal: boolean };

const DELAYS_MS = [300, 1_000, 3_000, 8_000];

/**
 * Posts an event. What may pass by itself is tried again: no connection, 5xx, 408 and 429. Every other reply is final. Never
 * rejects; ends early with the signal.
 */
export async function sendEvent(
  url: string,
  event: CallbackEvent,
  { delaysMs = DELAYS_MS, signal }: SendOptions & { signal?: AbortSignal } = {},
): Promise<SendResult> {
  let status: number | undefined;
  for (const delayMs of [0, ...delaysMs]) {
    await sleep(delayMs, signal);
    if (signal?.aborted) break;
    status = await post(url, event, signal);
    if (status !== undefined && status >= 200 && status < 300) return { ok: true };
    if (status !== undefined && status < 500 && status !== 408 && status !== 429) {
      return { ok: false, status, isFinal: true };
    }
  }
  return { ok: false, status, isFinal: false };
}

async function post(url: string, event: CallbackEvent, signal: AbortSignal | undefined): Promise<number | undefined> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(event),
      // The address itself is the permission; cookies of the page are nobody's business.
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      ...(signal && { signal }),
    });
    return response.status;
  } catch {
    // No connection, or the signal: the caller tells them apart.
    return undefined;
  }
}

async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (ms === 0 || signal?.aborted) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
