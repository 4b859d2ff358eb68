import type { Logger } from 'pino';
import { type Tls, type TlsFiles, watchTls } from './tls.ts';

/**
 * Takes each renewed certificate, and tells commands on this machine which ones to accept: both while one follows the
 * other. Returns what ends it.
 */
export function followTls(
  files: TlsFiles,
  first: Tls,
  { renew, tell, logger }: { renew: (tls: Tls) => void; tell: (certificates: string[]) => void; logger: Logger },
): () => void {
  let shown = first.fingerprint;
  return watchTls(files, first, {
    onChange: (tls) => {
      tell([tls.fingerprint, shown]);
      renew(tls);
      shown = tls.fingerprint;
      tell([shown]);
      logger.info(
        `The certificate in ${files.cert.path} is used from now on. It is valid until ${tls.validTo.toISOString().slice(0, 10)}.`,
      );
    },
    onError: (error) => logger.warn({ err: error }, 'The certificate was not renewed; Beckon keeps the one it has'),
  });
}
