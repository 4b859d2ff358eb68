/** From where a phone can open an address: `nowhere`, only in the same `network`, or `anywhere`. */
type PhoneReach = 'nowhere' | 'network' | 'anywhere';

/** Ways out, the easiest first. */
const WAYS = ['network', 'tls', 'proxy', 'tailscale', 'ssh'] as const;
export type Way = (typeof WAYS)[number];

/** What a phone can do with the address in a link, and what would help. */
export interface PhoneAdvice {
  reach: PhoneReach;
  /** Browsers give notifications only to pages of secure addresses. */
  isSecure: boolean;
  /** Empty if nothing is missing. */
  ways: readonly Way[];
}

/** The address of the page, and whether the browser says that it is secure. */
export interface OwnAddress {
  url: string;
  isSecureContext: boolean;
}

/**
 * The link for the phone. Behind a proxy that says nothing about TLS or a path, the server knows neither, so for the
 * same host the address of the page counts: it is known to work.
 */
export function toPhoneLink(made: string, own: OwnAddress): string {
  const [base = '', code = ''] = made.split('/login#');
  const isSameHost = new URL(base).host === new URL(own.url).host;
  return `${isSameHost ? own.url : base}/login#${code}`;
}

/** Judges the address in a link for a phone. */
export function judgeForPhone(link: string, own: OwnAddress): PhoneAdvice {
  const { origin, protocol, hostname } = new URL(link);
  const reach = toReach(hostname);
  // For its own address the browser knows best. A phone trusts no address because it is the phone itself.
  const isSecure =
    reach !== 'nowhere' && (origin === new URL(own.url).origin ? own.isSecureContext : protocol === 'https:');
  if (reach === 'nowhere') return { reach, isSecure: false, ways: WAYS };
  return { reach, isSecure, ways: isSecure ? [] : WAYS.filter((way) => way !== 'network') };
}

/** The port that the commands name: the one that Beckon listens on, as far as the page can know. */
export function toPort(link: string): string {
  const { port, protocol } = new URL(link);
  return port === '' ? (protocol === 'https:' ? '443' : '80') : port;
}

function toReach(hostname: string): PhoneReach {
  const host = hostname.toLowerCase().replace(/^\[|\]$/g, '');
  if (/^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|::1|::)$/.test(host)) return 'nowhere';
  // Such an address works only with the name of an interface, which a link cannot have.
  if (/^fe[89ab][0-9a-f]:/.test(host)) return 'nowhere';
  const isPrivate =
    /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/.test(
      host,
    ) || /^f[cd][0-9a-f]{2}:/.test(host);
  const isLocalName = /^[^.:]+$/.test(host) || /\.(?:local|lan|home|internal|home\.arpa|ts\.net)$/.test(host);
  return isPrivate || isLocalName ? 'network' : 'anywhere';
}
