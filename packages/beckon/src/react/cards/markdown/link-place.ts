import { isSafeLink } from '../../../components/url.ts';

/** A link that may be followed, and the place that it leads to as a browser resolves it. */
export interface PlacedLink {
  href: string;
  /** The host, with look-alike letters spelled out (`xn--…`); for mail the address. */
  place: string;
}

/** Reads the address of a link; `null` if an agent's link must not lead there. */
export function toPlacedLink(address: string): PlacedLink | null {
  if (!isSafeLink(address)) return null;
  const url = new URL(address);
  return { href: url.href, place: url.protocol === 'mailto:' ? decode(url.pathname) : url.host };
}

/** Whether a link's text already says where it leads. */
export function saysPlace(text: string, { href, place }: PlacedLink): boolean {
  const said = text.trim().replace(/\/$/, '').toLowerCase();
  const plain = href.replace(/\/$/, '').toLowerCase();
  return [plain, plain.replace(/^(?:https?:\/\/|mailto:)/, ''), place.toLowerCase()].includes(said);
}

/** The host that an image would be loaded from; empty if the address names none. */
export function toImageHost(address: string): string {
  const full = address.startsWith('//') ? `https:${address}` : address;
  return URL.canParse(full) ? new URL(full).host : '';
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
