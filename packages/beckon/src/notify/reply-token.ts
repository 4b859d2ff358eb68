import { createHmac, timingSafeEqual } from 'node:crypto';

/** What pressing one button means: this answer, to this request, by the owner of this destination, until then. */
export interface Reply {
  destination: string;
  interaction: string;
  /** `allow`, `deny`, or the number of a question's option: `o0`. A request never changes, so that is exact. */
  choice: string;
  /** Seconds since 1970. */
  expiresAt: number;
}

/** No id has a slash. */
const TOKEN = /^(dst_[\w-]{1,100})\/([\w.:@+=~-]{1,300})\/(allow|deny|o\d)\/(\d{1,12})\/([\w-]{43})$/;

/** The body of a button. Whoever reads it learns nothing but ids; whoever changes a letter has nothing. */
export function signReply(secret: string, { destination, interaction, choice, expiresAt }: Reply): string {
  const text = `${destination}/${interaction}/${choice}/${expiresAt}`;
  return `${text}/${toMac(secret, 'reply', text)}`;
}

/** The reply that was signed; `null` for anything else. It may have expired. */
export function readReply(secret: string, token: string): Reply | null {
  const [, destination, interaction, choice, seconds, mac] = TOKEN.exec(token) ?? [];
  if (destination === undefined || interaction === undefined || choice === undefined || mac === undefined) return null;
  const expected = toMac(secret, 'reply', token.slice(0, token.lastIndexOf('/')));
  if (!timingSafeEqual(Buffer.from(expected), Buffer.from(mac))) return null;
  return { destination, interaction, choice, expiresAt: Number(seconds) };
}

/**
 * The topic in which the buttons of a destination post. It follows from the secret, so every process knows it and
 * nobody else can. All begin with the same letters, so a server with access control needs one rule for them.
 */
export function toReplyTopic(secret: string, destination: string): string {
  return `bkr${toMac(secret, 'topic', destination).slice(0, 22)}`;
}

function toMac(secret: string, purpose: 'reply' | 'topic', text: string): string {
  return createHmac('sha256', secret).update(`beckon ntfy ${purpose}\n${text}`).digest('base64url');
}
