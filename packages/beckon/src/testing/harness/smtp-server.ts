import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { TestCertificate } from './certificate.ts';

/** A mail as a server got it. */
interface ReceivedMail {
  from: string;
  to: string[];
  /** Its lines as they were sent. */
  raw: string;
  isTls: boolean;
  user: string | undefined;
}

/** What a server answers instead, by command. `hang`: nothing. `close`: it hangs up. */
type Fault = `${number} ${string}` | 'hang' | 'close';

/** Stands for a mail server. It speaks SMTP, with STARTTLS and AUTH PLAIN and LOGIN, and fails as a test says. */
export interface TestSmtp {
  readonly port: number;
  readonly mails: ReceivedMail[];
  /** Every command, as it was sent. */
  readonly commands: string[];
  /** How many connections are open. */
  readonly connections: number;
  /** What it answers to a command instead: `{ RCPT: '550 no such user' }`; to `GREETING` and `MESSAGE` as well. */
  faults: Partial<Record<'GREETING' | 'EHLO' | 'STARTTLS' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA' | 'MESSAGE', Fault>>;
  close(): Promise<void>;
}

interface SmtpOptions {
  /** With it, the server offers STARTTLS. */
  certificate?: TestCertificate;
  /** TLS from the first byte. */
  isImplicit?: boolean;
  /** Who may send. Without it everybody may. */
  login?: { user: string; pass: string };
}

export async function startSmtp({ certificate, isImplicit = false, login }: SmtpOptions = {}): Promise<TestSmtp> {
  const mails: ReceivedMail[] = [];
  const commands: string[] = [];
  const sockets = new Set<Socket>();

  const serve = (raw: Socket, isTls: boolean): void => {
    const socket = isTls ? new TLSSocket(raw, { isServer: true, ...certificate }) : raw;
    let mail: ReceivedMail = { from: '', to: [], raw: '', isTls, user: undefined };
    let awaiting: 'command' | 'data' | 'user' | 'pass' | 'plain' = 'command';
    let rest = '';
    let user = '';
    const say = (what: keyof TestSmtp['faults'], line: string): boolean => {
      const fault = smtp.faults[what];
      if (fault === 'hang') return false;
      if (fault === 'close') {
        socket.destroy();
        return false;
      }
      socket.write(`${fault ?? line}\r\n`);
      return fault === undefined;
    };
    const admit = (name: string, pass: string): void => {
      awaiting = 'command';
      if (login !== undefined && (name !== login.user || pass !== login.pass)) {
        return void socket.write('535 5.7.8 Username and Password not accepted\r\n');
      }
      if (say('AUTH', '235 2.7.0 Accepted')) mail.user = name;
    };
    const fromBase64 = (text: string): string => Buffer.from(text, 'base64').toString();
    const admitPlain = (text: string): void => {
      const [, name = '', pass = ''] = fromBase64(text).split('\0');
      admit(name, pass);
    };
    const onCommand = (line: string): void => {
      commands.push(line);
      const [verb = '', first = '', second] = line.split(' ');
      switch (verb.toUpperCase()) {
        case 'EHLO': {
          const offers = ['PIPELINING', 'SIZE 10485760', '8BITMIME'];
          if (certificate !== undefined && !isTls) offers.push('STARTTLS');
          if (login !== undefined) offers.push('AUTH PLAIN LOGIN');
          say(
            'EHLO',
            ['250-mail.test', ...offers.slice(0, -1).map((offer) => `250-${offer}`), `250 ${offers.at(-1)}`].join(
              '\r\n',
            ),
          );
          return;
        }
        case 'STARTTLS':
          if (certificate === undefined) return void socket.write('502 5.5.1 Not here\r\n');
          if (!say('STARTTLS', '220 2.0.0 Go ahead')) return;
          socket.removeAllListeners('data');
          return serve(raw, true);
        case 'AUTH':
          if (first.toUpperCase() === 'LOGIN') {
            awaiting = 'user';
            return void socket.write('334 VXNlcm5hbWU6\r\n');
          }
          if (second !== undefined) return admitPlain(second);
          awaiting = 'plain';
          return void socket.write('334 \r\n');
        case 'MAIL':
          if (login !== undefined && mail.user === undefined)
            return void socket.write('530 5.7.0 Authenticate first\r\n');
          if (say('MAIL', '250 2.1.0 OK')) mail.from = toAddress(line);
          return;
        case 'RCPT':
          if (say('RCPT', '250 2.1.5 OK')) mail.to.push(toAddress(line));
          return;
        case 'DATA':
          if (say('DATA', '354 Go ahead')) awaiting = 'data';
          return;
        case 'QUIT':
          return void socket.end('221 2.0.0 Bye\r\n');
        default:
          return void socket.write('250 2.0.0 OK\r\n');
      }
    };
    const onLine = (line: string): void => {
      switch (awaiting) {
        case 'command':
          return onCommand(line);
        case 'plain':
          return admitPlain(line);
        case 'user':
          user = fromBase64(line);
          awaiting = 'pass';
          return void socket.write('334 UGFzc3dvcmQ6\r\n');
        case 'pass':
          return admit(user, fromBase64(line));
        case 'data':
          if (line !== '.') {
            mail.raw += `${line.replace(/^\.\./, '.')}\n`;
            return;
          }
          awaiting = 'command';
          if (say('MESSAGE', '250 2.0.0 Queued')) mails.push(mail);
          mail = { from: '', to: [], raw: '', isTls, user: mail.user };
      }
    };
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes: Buffer) => {
      const lines = (rest + bytes.toString('latin1')).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) onLine(line);
    });
    if (!isTls || isImplicit) say('GREETING', '220 mail.test ESMTP');
  };

  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    serve(socket, isImplicit);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const smtp: TestSmtp = {
    port: (server.address() as AddressInfo).port,
    mails,
    commands,
    get connections() {
      return sockets.size;
    },
    faults: {},
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return smtp;
}

function toAddress(line: string): string {
  return /<([^>]*)>/.exec(line)?.[1] ?? '';
}
