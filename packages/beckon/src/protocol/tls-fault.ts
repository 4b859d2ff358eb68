/** What Node says of a certificate whose issuer it does not know. */
const UNTRUSTED = new Set([
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** The code of the error for a daemon that shows another certificate than the one it left in its state. */
export const OTHER_CERTIFICATE = 'ERR_BECKON_OTHER_CERTIFICATE';

/** An error of a connection, as far as it speaks of TLS. */
interface ConnectionError {
  code?: unknown;
  message?: unknown;
  cert?: { subjectaltname?: unknown };
}

/**
 * What is wrong with the certificate or the TLS of a server, and the next step; `null` if the error is about something
 * else. Only Node has these errors: browsers tell pages nothing.
 */
export function describeTlsFault(url: string, error: unknown): string | null {
  const { code, message, cert }: ConnectionError = error instanceof Error ? error : {};
  if (typeof code !== 'string') return null;
  const { hostname: host } = new URL(url);
  const what = `The certificate of ${host}`;
  if (UNTRUSTED.has(code)) {
    return `${what} is not trusted. If your company has its own CA, set NODE_EXTRA_CA_CERTS=FILE.`;
  }
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return `${what} has expired. Renew it on the server. If it is new, check the clock of this machine.`;
    case 'CERT_NOT_YET_VALID':
      return `${what} is not valid yet. Check the clock of this machine.`;
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `${what} is for another name${toNames(cert)}. Use a name that it has, or get a certificate for ${host}.`;
    case OTHER_CERTIFICATE:
      return `${what} is not the one that this machine's Beckon uses. Another program may have its port: see "beckon status".`;
  }
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || (code === 'EPROTO' && /wrong version number/.test(String(message)))) {
    return `${host} does not speak TLS on this port. Begin the URL with http://, or name the port that has TLS.`;
  }
  if (/^(?:CERT_|ERR_SSL_|ERR_TLS_)|^EPROTO$/.test(code)) {
    return `TLS with ${host} failed (${code}). Check its certificate and the proxies in between.`;
  }
  return null;
}

function toNames(cert: ConnectionError['cert']): string {
  const names = typeof cert?.subjectaltname === 'string' ? cert.subjectaltname : '';
  return names === '' ? '' : ` (${names.slice(0, 200)})`;
}
