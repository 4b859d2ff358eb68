import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { BeckonError } from '../protocol/errors.ts';
import { isHostName } from '../where/setting-rules.ts';
import type { Config } from './config.ts';

/** Where the certificate and its key are, and which settings say so. */
export interface TlsFiles {
  cert: { path: string; from: string };
  key: { path: string; from: string };
}

/** A certificate with its key, checked. */
export interface Tls {
  /** The files' texts, as a server takes them. */
  cert: string;
  key: string;
  /** SHA-256 of the certificate, as commands on this machine know it. */
  fingerprint: string;
  /** The host names and addresses that it is for, without patterns. */
  names: readonly string[];
  validTo: Date;
}

/** How often the files are looked at. Links and renamed folders, which other ways of watching miss, are followed. */
const LOOK_MS = 1000;

/** The files that are configured; `undefined` without any. Throws if one of the two is missing. */
export function findTlsFiles({ tlsCert, tlsKey }: Pick<Config, 'tlsCert' | 'tlsKey'>): TlsFiles | undefined {
  if (tlsCert.value === undefined && tlsKey.value === undefined) return undefined;
  if (tlsCert.value !== undefined && tlsKey.value !== undefined) {
    return { cert: { path: tlsCert.value, from: tlsCert.from }, key: { path: tlsKey.value, from: tlsKey.from } };
  }
  const missing = tlsCert.value === undefined ? '--tls-cert FILE (BECKON_TLS_CERT)' : '--tls-key FILE (BECKON_TLS_KEY)';
  throw new BeckonError('invalid_input', `A certificate and its key go together. Add ${missing}.`);
}

/** Reads and checks the files. Throws `invalid_input` that says what is wrong with which. */
export function loadTls({ cert, key }: TlsFiles): Tls {
  const texts = { cert: readText(cert), key: readText(key) };
  const certificate = parseCertificate(cert.path, texts.cert);
  if (!certificate.checkPrivateKey(parseKey(key.path, texts.key))) {
    throw new BeckonError(
      'invalid_input',
      `The key in ${key.path} is not that of the certificate in ${cert.path}. ` +
        'The file of the certificate must begin with the one of the server; those of its issuers follow.',
    );
  }
  return {
    ...texts,
    fingerprint: certificate.fingerprint256,
    names: listNames(certificate),
    validTo: new Date(certificate.validTo),
  };
}

/**
 * Calls `onChange` with each certificate that replaces the one in the files. Files that are wrong, such as a new
 * certificate whose key is not there yet, are told to `onError`, and looked at again when they change. Returns what
 * ends it.
 */
export function watchTls(
  files: TlsFiles,
  first: Tls,
  { onChange, onError }: { onChange: (tls: Tls) => void; onError: (error: unknown) => void },
): () => void {
  let current = first;
  const look = (): void => {
    try {
      const tls = loadTls(files);
      if (tls.fingerprint === current.fingerprint && tls.key === current.key) return;
      current = tls;
      onChange(tls);
    } catch (error) {
      onError(error);
    }
  };
  const paths = [files.cert.path, files.key.path];
  for (const path of paths) watchFile(path, { persistent: false, interval: LOOK_MS }, look);
  return () => {
    for (const path of paths) unwatchFile(path, look);
  };
}

function readText({ path, from }: { path: string; from: string }): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new BeckonError(
      'invalid_input',
      `${path} (${from}) cannot be read (${code}). Name a PEM file that you may read.`,
      {
        cause: error,
      },
    );
  }
}

function parseCertificate(path: string, text: string): X509Certificate {
  try {
    return new X509Certificate(text);
  } catch (cause) {
    throw new BeckonError(
      'invalid_input',
      `${path} has no certificate. Expected PEM: a text with "-----BEGIN CERTIFICATE-----".`,
      { cause },
    );
  }
}

function parseKey(path: string, text: string): KeyObject {
  try {
    return createPrivateKey(text);
  } catch (cause) {
    const isLocked = /ENCRYPTED/.test(text);
    throw new BeckonError(
      'invalid_input',
      isLocked
        ? `The key in ${path} needs a passphrase. Write it without one: openssl pkey -in ${path} -out FILE`
        : `${path} has no private key. Expected PEM: a text with "-----BEGIN PRIVATE KEY-----".`,
      { cause },
    );
  }
}

function listNames({ subjectAltName = '' }: X509Certificate): string[] {
  return subjectAltName
    .split(', ')
    .map((name) => /^(?:DNS|IP Address):(.*)$/.exec(name)?.[1] ?? '')
    .filter(isHostName);
}
