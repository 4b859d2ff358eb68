import { toAddress } from './worker.ts';

/** What Beckon said. */
export interface Reply {
  status: number;
  body: unknown;
}

/** The pauses before further attempts. Together they take less time than a browser gives a worker. */
const PAUSES_MS = [500, 1500, 3000];

/**
 * Calls Beckon with the cookie of this browser. `null`: it cannot be reached. Every call here may be repeated: the same
 * answer, proof or subscription counts once.
 */
export async function call(path: string, body?: object): Promise<Reply | null> {
  for (const pauseMs of [...PAUSES_MS, null]) {
    const reply = await send(path, body);
    if (reply !== null || pauseMs === null) return reply;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return null;
}

async function send(path: string, body: object | undefined): Promise<Reply | null> {
  try {
    const reply = await fetch(toAddress(path), {
      credentials: 'same-origin',
      cache: 'no-store',
      redirect: 'manual',
      ...(body !== undefined && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    // A proxy speaks for a Beckon that is gone, or Beckon for a database.
    if (reply.status === 0 || reply.status === 429 || reply.status >= 500) return null;
    return { status: reply.status, body: (await reply.json()) as unknown };
  } catch {
    return null;
  }
}
