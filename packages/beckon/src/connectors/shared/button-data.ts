import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** What a button means, and where it was sent. */
export interface Button {
  /** The delivery's own random key. */
  key: string;
  /** The place's own name of the chat or channel. */
  chat: number | string;
  interactionId: string;
  choice: string;
}

const MAC_BYTES = 16;
const DATA = /^([\w-]{12})\.([a-z]\w{0,15})\.([\w-]{22})$/;

/** A key that nobody can guess, for one delivery. */
export function newKey(): string {
  return randomBytes(9).toString('base64url');
}

/**
 * The data of a button: at most 64 bytes, which a person's client sends back and could change. The signature binds it
 * to the chat, the delivery, the interaction and the choice; the connector itself knows which message shows the
 * delivery.
 */
export function sealButton(secret: string | Buffer, button: Button): string {
  return `${button.key}.${button.choice}.${sign(secret, button).toString('base64url')}`;
}

/** The parts of a button's data, unchecked. `null`: the data is not ours. */
export function readButton(data: string): { key: string; choice: string; mac: string } | null {
  const [, key, choice, mac] = DATA.exec(data) ?? [];
  return key === undefined || choice === undefined || mac === undefined ? null : { key, choice, mac };
}

/** Whether this connector made the data for exactly this button. Takes the same time either way. */
export function isGenuine(secret: string | Buffer, button: Button, mac: string): boolean {
  const given = Buffer.from(mac, 'base64url');
  return given.length === MAC_BYTES && timingSafeEqual(given, sign(secret, button));
}

function sign(secret: string | Buffer, { key, chat, interactionId, choice }: Button): Buffer {
  const text = JSON.stringify([key, chat, interactionId, choice]);
  return createHmac('sha256', secret).update(text).digest().subarray(0, MAC_BYTES);
}
