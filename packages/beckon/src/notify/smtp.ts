import { connect, isIP, type Socket } from 'node:net';
import type { NoticeResult } from '../core/notify.ts';
import { BeckonError } from '../protocol/errors.ts';
import type { SmtpServer } from './smtp-url.ts';

/** A mail, ready to be sent. */
export interface Mail {
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  messageId: string;
  /** The beginning of the thread that it belongs to. */
  thread: string;
  headers: Readonly<Record<string, string>>;
}

/** Somebody must change a setting of this Beckon first. */
const MISCONFIGURED_MS = 600_000;
const SHOWN_CHARS = 200;

/** Hands a mail to a server, over a connection of its own that ends with the signal. Never throws. */
export async function sendMail(server: SmtpServer, mail: Mail, signal: AbortSignal): Promise<NoticeResult> {
  let socket: Socket | undefined;
  try {
    socket = await open(server, signal);
    const { createTransport } = await loadNodemailer();
    const { thread, ...fields } = mail;
    const transport = createTransport({ ...toOptions(server), getSocket: giveSocket(socket) });
    await transport.sendMail({
      ...fields,
      inReplyTo: thread,
      references: thread,
      headers: { ...mail.headers },
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    return { result: 'sent' };
  } catch (error) {
    return toResult(signal.aborted ? signal.reason : error, server);
  } finally {
    socket?.destroy();
  }
}

type Options = Parameters<Awaited<ReturnType<typeof loadNodemailer>>['createTransport']>[0] & object;

function toOptions({ host, port, tls, auth }: SmtpServer): Options {
  return {
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'required',
    ignoreTLS: tls === 'off',
    // An address has no name to check, so its certificate must name the address.
    tls: isIP(host) === 0 ? { servername: host } : { host },
    // Without it, a server that hides AUTH would get the mail of somebody it did not identify.
    ...(auth !== undefined && { auth, forceAuth: true }),
  };
}

// nodemailer cannot end an attempt under way; whoever has its socket can.
function giveSocket(connection: Socket) {
  return (_: unknown, done: (error: Error | null, options: { connection: Socket }) => void): void =>
    done(null, { connection });
}

function open({ host, port }: SmtpServer, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, signal, noDelay: true });
    socket.once('error', reject);
    socket.once('connect', () => resolve(socket.off('error', reject).on('error', () => undefined)));
  });
}

async function loadNodemailer() {
  return import('nodemailer').catch((error: unknown) => {
    throw new BeckonError(
      'not_installed',
      'E-mail needs the package "nodemailer", which is not installed. Run: npm install nodemailer',
      { cause: error },
    );
  });
}

/** What nodemailer says about a failure. */
interface MailError extends Error {
  code?: string;
  /** That of Node, where `code` is nodemailer's. */
  originalCode?: string;
  command?: string;
  responseCode?: number;
}

function toResult(failure: unknown, { auth }: SmtpServer): NoticeResult {
  const { message, code, originalCode = '', command = '', responseCode = 0 } = failure as MailError;
  const text = auth === undefined || auth.pass === '' ? message : message.replaceAll(auth.pass, '(password)');
  const error = (text || String(code)).replaceAll(/\s+/g, ' ').slice(0, SHOWN_CHARS);
  const isFinal = responseCode >= 500 && responseCode < 600;
  // The server knows the recipient or the mail, and will never take it.
  if (isFinal && (command === 'RCPT TO' || command === 'DATA')) return { result: 'dead', error };
  const isOurs =
    ['EAUTH', 'ETLS', 'not_installed'].includes(code ?? '') ||
    /CERT|SIGNATURE/.test(originalCode) ||
    (isFinal && command === 'MAIL FROM');
  return { result: 'failed', error, retryAfterMs: isOurs ? MISCONFIGURED_MS : 0 };
}
