/** A link that may be followed: where it leads, and the name of that place as a browser would resolve it. */
export interface SafeLink {
  href: string;
  /** The host, with look-alike letters spelled out (`xn--…`); for mail the address. */
  place: string;
}

/** Reads the address of a link. `null` for anything but http, https and mailto, and for what is relative to this page. */
export function toSafeLink(address: string): SafeLink | null {
  // A browser drops these before it reads the scheme; whoever writes them hides something.
  if (/[\p{Cc}\s]/u.test(address.trim()) || !URL.canParse(address)) return null;
  const url = new URL(address);
  switch (url.protocol) {
    case 'http:':
    case 'https:':
      return { href: url.href, place: url.host };
    case 'mailto:':
      return { href: url.href, place: decode(url.pathname) };
    default:
      return null;
  }
}

/** Whether a link's text already says where it leads. */
export function saysPlace(text: string, { href, place }: SafeLink): boolean {
  const said = text.trim().replace(/\/$/, '').toLowerCase();
  const plain = href.replace(/\/$/, '').toLowerCase();
  return [plain, plain.replace(/^(?:https?:\/\/|mailto:)/, ''), place.toLowerCase()].includes(said);
}

/** The host that an image would be loaded from; empty where it names none. */
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
