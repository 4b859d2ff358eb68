import { expect, test } from 'vitest';
import { describeTlsFault, OTHER_CERTIFICATE } from './tls-fault.ts';

const URL_OF_TEAM = 'https://team.example:8443/beckon';

function describeCode(code: unknown, more: object = {}): string | null {
  return describeTlsFault(URL_OF_TEAM, Object.assign(new Error('failed'), { code, ...more }));
}

test.each([
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])('%s: the issuer is not known', (code) => {
  expect(describeCode(code)).toBe(
    'The certificate of team.example is not trusted. If your company has its own CA, set NODE_EXTRA_CA_CERTS=FILE.',
  );
});

test.each([
  ['CERT_HAS_EXPIRED', 'has expired. Renew it on the server.'],
  ['CERT_NOT_YET_VALID', 'is not valid yet. Check the clock of this machine.'],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'is for another name. Use a name that it has, or get a certificate for team.example.',
  ],
  [OTHER_CERTIFICATE, "is not the one that this machine's Beckon uses."],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'does not speak TLS on this port.'],
  ['CERT_REVOKED', 'TLS with team.example failed (CERT_REVOKED).'],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'TLS with team.example failed'],
  ['EPROTO', 'TLS with team.example failed (EPROTO).'],
])('%s: %s', (code, words) => {
  expect(describeCode(code)).toContain(words);
});

test('a server without TLS is named by Node’s two clients in two ways', () => {
  const message = 'write EPROTO 80:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number';
  expect(describeTlsFault(URL_OF_TEAM, Object.assign(new Error(message), { code: 'EPROTO' }))).toContain(
    'does not speak TLS on this port',
  );
});

test('the names of a certificate are told, if they are known', () => {
  expect(describeCode('ERR_TLS_CERT_ALTNAME_INVALID', { cert: { subjectaltname: 'DNS:box.lan' } })).toContain(
    'is for another name (DNS:box.lan). Use',
  );
  expect(describeCode('ERR_TLS_CERT_ALTNAME_INVALID', { cert: { subjectaltname: 'x'.repeat(1000) } })).toContain(
    `(${'x'.repeat(200)}). Use`,
  );
});

test.each([undefined, 7, 'ECONNREFUSED', 'UND_ERR_SOCKET', 'HPE_INVALID_CONSTANT'])(
  'an error with the code %s is about something else',
  (code) => {
    expect(describeCode(code)).toBeNull();
    expect(describeTlsFault(URL_OF_TEAM, { code: 'CERT_HAS_EXPIRED' })).toBeNull();
  },
);
