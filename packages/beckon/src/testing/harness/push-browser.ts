import { createECDH, randomBytes } from 'node:crypto';
import ece from 'http_ece';
import { parse } from '../../protocol/parse.ts';
import { PushMessage } from '../../protocol/push.ts';

/** A browser that has subscribed. It opens what was sealed for it with another implementation than ours. */
export interface PushBrowser {
  keys: { p256dh: string; auth: string };
  read(sealed: Buffer): PushMessage;
}

export function createPushBrowser(): PushBrowser {
  const privateKey = createECDH('prime256v1');
  const p256dh = privateKey.generateKeys('base64url');
  const auth = randomBytes(16).toString('base64url');
  return {
    keys: { p256dh, auth },
    read: (sealed) => {
      const text = ece.decrypt(sealed, { version: 'aes128gcm', privateKey, authSecret: auth }).toString();
      return parse(PushMessage, JSON.parse(text), { what: 'message' });
    },
  };
}
