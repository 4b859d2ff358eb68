import { isLoopback } from '../machine/address.ts';
import { BeckonError } from '../protocol/errors.ts';
import { toHomeFile } from '../where/home.ts';
import { type Config, isForeign } from './config.ts';
import type { Tls } from './tls.ts';

/** Links and the trust in proxies are the owner's to decide, not that of whoever wrote the folder's config file. */
export function refuseForeign(config: Config): void {
  for (const key of ['publicUrl', 'trustedProxies', 'tlsCert', 'tlsKey'] as const) {
    if (!isForeign(config[key], config.home)) continue;
    throw new BeckonError(
      'invalid_input',
      `${config[key].from} sets ${key}. That counts only in ${toHomeFile(config.home.value, 'config')}, as an option or as a variable.`,
    );
  }
}

/** What the owner should know about who can reach this Beckon, and how. */
export function listRemarks({ host, publicUrl, trustedProxies }: Config, tls: Tls | undefined): string[] {
  const remarks: string[] = [];
  if (tls !== undefined && tls.validTo.getTime() < Date.now()) {
    remarks.push(`WARNING: the certificate has expired on ${toDay(tls)}, so browsers refuse it. Renew it.`);
  }
  if (!isLoopback(host.value)) {
    const plain = ', and requests are not encrypted: put TLS in front of it, or add --tls-cert and --tls-key.';
    remarks.push(
      `WARNING: this Beckon listens on ${host.value} (${host.from}), so other machines on the network can reach it. ` +
        `Anyone with a token gets in${tls === undefined ? plain : '.'}`,
    );
  }
  if (publicUrl.value?.startsWith('https:') === true && tls === undefined && trustedProxies.value.length === 0) {
    remarks.push(
      'No proxy is trusted, so all requests through it look as if they came from one address, and share their limits. ' +
        'If it runs on this machine, add: --trusted-proxy loopback',
    );
  }
  return remarks;
}

function toDay({ validTo }: Tls): string {
  return validTo.toISOString().slice(0, 10);
}
