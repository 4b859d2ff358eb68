import { execFileSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files of a certificate and its key, as a server takes them. */
export interface CertificateFiles {
  cert: string;
  key: string;
}

/** A certificate authority that nobody knows unless told, such as a company's own. */
export interface Authority {
  /** What `NODE_EXTRA_CA_CERTS` takes. */
  file: string;
  /** Issues a certificate, valid for a day. With `days: -1` it has expired. `as` names its files. */
  issue(as: string, names: readonly string[], options?: { days?: number }): CertificateFiles;
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

/** Makes an authority with its files in the folder, with openssl. */
export function createAuthority(folder: string): Authority {
  const file = join(folder, 'ca.pem');
  const key = join(folder, 'ca.key');
  openssl('req', '-x509', ...NEW_KEY, '-keyout', key, '-out', file, '-days', '2', '-subj', '/CN=Beckon test CA');
  return {
    file,
    issue: (as, names, { days = 1 } = {}) => {
      const made = { cert: join(folder, `${as}.pem`), key: join(folder, `${as}.key`) };
      const request = join(folder, `${as}.csr`);
      const subject = ['-subj', `/CN=${as}`, '-addext', `subjectAltName=${names.map(toAltName).join()}`];
      openssl('req', ...NEW_KEY, '-keyout', made.key, '-out', request, ...subject);
      const signing = ['-CA', file, '-CAkey', key, '-CAcreateserial', '-copy_extensions', 'copy'];
      openssl('x509', '-req', '-in', request, '-out', made.cert, '-days', String(days), ...signing);
      return made;
    },
  };
}

/** Makes a certificate that vouches for itself. */
export function createSelfSigned(folder: string, as: string, names: readonly string[]): CertificateFiles {
  const made = { cert: join(folder, `${as}.pem`), key: join(folder, `${as}.key`) };
  const subject = ['-subj', `/CN=${as}`, '-addext', `subjectAltName=${names.map(toAltName).join()}`];
  openssl('req', '-x509', ...NEW_KEY, '-keyout', made.key, '-out', made.cert, '-days', '1', ...subject);
  return made;
}

/** What a Chromium that is to trust this certificate takes: the SHA-256 of its key, in base64. */
export function toTrustedKey({ cert }: Pick<CertificateFiles, 'cert'>): string {
  const key = new X509Certificate(readFileSync(cert)).publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(key).digest('base64');
}

function toAltName(name: string): string {
  return `${/^[\d.]+$|:/.test(name) ? 'IP' : 'DNS'}:${name}`;
}

function openssl(...args: string[]): void {
  execFileSync('openssl', args, { stdio: 'pipe' });
}
