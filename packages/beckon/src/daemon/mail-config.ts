import { parseSmtpUrl, type SmtpServer } from '../notify/smtp-url.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { Config } from './config.ts';

/** The configured mail server and sender; `undefined` if there is none. Throws if one of the two is missing. */
export function findMail({
  smtpUrl,
  mailFrom,
}: Pick<Config, 'smtpUrl' | 'mailFrom'>): { server: SmtpServer; from: string } | undefined {
  if (smtpUrl.value === undefined && mailFrom.value === undefined) return undefined;
  if (smtpUrl.value === undefined) throw toMissing('sender', mailFrom.from, 'a mail server. Set BECKON_SMTP_URL');
  if (mailFrom.value === undefined) throw toMissing('mail server', smtpUrl.from, 'a sender. Set BECKON_MAIL_FROM');
  return { server: parseSmtpUrl(smtpUrl.value), from: mailFrom.value };
}

function toMissing(what: string, from: string, needs: string): BeckonError {
  return new BeckonError('invalid_input', `The ${what} in ${from} needs ${needs}, or remove the ${what}.`);
}
