import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A link that logs a browser in as ada.
 * @param {string} home
 * @param {string} url
 */
export async function createLink(home, url) {
  const reply = await fetch(`${url}/v1/login-links`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${readFileSync(join(home, 'token'), 'utf8').trim()}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ who: 'ada', role: 'admin' }),
  });
  const link = /** @type {{ url: string }} */ (await reply.json());
  return link.url;
}
