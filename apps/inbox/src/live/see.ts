/**
 * Tells the daemon once whether the page is in sight. A page that is being left gets no further than this call, so the
 * request is sent at once and outlives the page.
 */
export async function see(origin: string, inSight: boolean): Promise<void> {
  await fetch(`${origin}/v1/presence`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ inSight }),
    cache: 'no-store',
    credentials: 'same-origin',
    keepalive: true,
  });
}
