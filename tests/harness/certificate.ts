import { createHash, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto';

/** A certificate for this machine that nobody but a test trusts. */
export interface TestCertificate {
  cert: string;
  key: string;
  /** The hash of its public key, by which Chromium can be told to trust it. */
  spki: string;
}

const DAY_MS = 86_400_000;
const ECDSA_WITH_SHA256 = sequence(Buffer.from('06082a8648ce3d040302', 'hex'));
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const ALTERNATIVE_NAMES = Buffer.from('0603551d11', 'hex');

/** Makes a certificate for `localhost` and 127.0.0.1, signed by itself, in the DER that X.509 wants. */
export function createCertificate(): TestCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const publicBytes = publicKey.export({ format: 'der', type: 'spki' });
  const name = sequence(tlv(0x31, sequence(COMMON_NAME, tlv(0x0c, Buffer.from('localhost')))));
  const names = sequence(tlv(0x82, Buffer.from('localhost')), tlv(0x87, Buffer.from([127, 0, 0, 1])));
  const content = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    name,
    sequence(toTime(Date.now() - DAY_MS), toTime(Date.now() + 30 * DAY_MS)),
    name,
    publicBytes,
    tlv(0xa3, sequence(sequence(ALTERNATIVE_NAMES, tlv(0x04, names)))),
  );
  const signature = tlv(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', content, privateKey)]));
  return {
    cert: new X509Certificate(sequence(content, ECDSA_WITH_SHA256, signature)).toString(),
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    spki: createHash('sha256').update(publicBytes).digest('base64'),
  };
}

function sequence(...parts: Buffer[]): Buffer {
  return tlv(0x30, Buffer.concat(parts));
}

function toTime(at: number): Buffer {
  return tlv(0x18, Buffer.from(new Date(at).toISOString().replaceAll(/\D/g, '').slice(0, 14).concat('Z')));
}

function tlv(tag: number, content: Buffer): Buffer {
  const { length } = content;
  // The shortest form, or browsers refuse it.
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
