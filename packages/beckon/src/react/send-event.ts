import type { CallbackEvent } from './events.ts';

/** How to send an event. */
export interface SendOptions {
  /** How long to wait before each retry, in milliseconds. Default 300, 1,000, 3,000 and 8,000. */
  delaysMs?: readonly number[];
}

/** The result of sending an event. `status` is that of the last reply, if there was one. */
export type SendResult = { ok: true } | { ok: false; status: number | undefined; isFinal: boolean };

const DELAYS_MS = [300, 1_000, 3_000, 8_000];

/**
 * Posts an event. Retries without a connection and after 5xx, 408 and 429; every other reply is final. Never rejects.
 */
export async function sendEvent(
  url: string,
  event: CallbackEvent,
  { delaysMs = DELAYS_MS }: SendOptions = {},
): Promise<SendResult> {
  let status: number | undefined;
  for (const delayMs of [0, ...delaysMs]) {
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    status = await post(url, event);
    if (status !== undefined && status >= 200 && status < 300) return { ok: true };
    if (status !== undefined && status < 500 && status !== 408 && status !== 429) {
      return { ok: false, status, isFinal: true };
    }
  }
  return { ok: false, status, isFinal: false };
}

async function post(url: string, event: CallbackEvent): Promise<number | undefined> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(event),
      // The address itself is the permission, so cookies of the page stay out of it.
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    });
    return response.status;
  } catch {
    // No connection.
    return undefined;
  }
}
