import type { Command } from 'commander';
import { connectAccount } from '../../client/connect-account.ts';
import { findDaemon, toStatePath } from '../../daemon/daemon-state.ts';
import { isLoopback } from '../../machine/address.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { LoginLinkBody } from '../../protocol/http.ts';
import { parse } from '../../protocol/parse.ts';
import { openBrowser } from '../browser.ts';
import { addClientOptions, type ClientOptions, withBeckon } from '../client.ts';
import { createCommand } from '../command.ts';
import { note, print, printJson } from '../output.ts';

interface OpenOptions extends ClientOptions {
  print?: boolean;
  qr?: boolean;
  who?: string;
  role?: string;
  chat?: string;
  answerOnly?: boolean;
  mayChange?: boolean;
}

export function createOpen(): Command {
  return addClientOptions(
    createCommand('open', {
      summary: 'Open the inbox page and log in.',
      examples: [
        ['beckon open', 'open the page in your browser'],
        ['beckon open --print', 'print a one-time login link, valid for 10 minutes'],
        ['beckon open --qr', 'show a QR code to scan with a phone'],
        ['beckon open --who ada --chat ops --print', 'print a link for Ada, who can only answer, in one chat'],
        ['beckon open --who ada --may-change --print', 'print a link for Ada, who can also change what runs'],
      ],
    })
      .option('--print', 'print the link instead of opening it')
      .option('--qr', 'show the link as a QR code; other machines must be able to reach Beckon')
      .option('--who <name>', 'who logs in (default: you)')
      .option('--role <role>', 'person: see and answer; admin: everything (default with --who: person)')
      .option('--chat <id>', 'only this chat')
      .option('--answer-only', 'can answer, but not change what runs or add rules (default with --who)')
      .option('--may-change', 'can also change what runs and add rules, and so run anything'),
  ).action(runOpen);
}

async function runOpen(options: OpenOptions): Promise<void> {
  const { who, role, chat, answerOnly, mayChange } = options;
  if (answerOnly === true && mayChange === true) {
    throw new BeckonError('invalid_input', '--answer-only and --may-change contradict each other. Choose one.');
  }
  const wanted = parse(
    LoginLinkBody,
    {
      ...(who !== undefined && { who }),
      ...(role !== undefined && { role }),
      ...(chat !== undefined && { chatId: chat }),
      ...(answerOnly === true && { answerOnly: true }),
      ...(mayChange === true && { answerOnly: false }),
    },
    { what: 'options' },
  );
  const isForOthers = options.qr === true || who !== undefined;
  const link = await withBeckon(options, async (_beckon, { home }, { url, access }) => {
    const made = await connectAccount(url, access).createLink(wanted);
    const base = await chooseBase({ url, said: made.url, home: home.value, isForOthers });
    return { url: `${base}/login${new URL(made.url).hash}`, expiresAt: made.expiresAt };
  });
  if (isForOthers && isLoopback(new URL(link.url).hostname)) {
    if (options.qr === true) throw toUnreachableByPhone();
    note('This link works only on this machine. For others, start Beckon with --public-url, or --host 0.0.0.0.');
  }
  if (options.json === true) return printJson(link);
  if (options.qr === true) {
    const { renderUnicodeCompact } = await import('uqr');
    print(renderUnicodeCompact(link.url));
  }
  if (who !== undefined) note(toRights(who, wanted));
  // A link for somebody else must not log this machine's browser in.
  if (options.print === true || options.qr === true || who !== undefined) return print(link.url);
  if (await openBrowser(link.url)) return note('Opened the page in your browser.');
  note('No browser could be opened here. Open this link instead. It works once, for 10 minutes.');
  print(link.url);
}

/** What the address of a link is chosen from. */
interface BaseChoice {
  /** The address that is known to work from here. */
  url: string;
  /** The link as Beckon made it, with its public address, or the one that this request seemed to come by. */
  said: string;
  home: string;
  /** Whether it will be opened on another machine. */
  isForOthers: boolean;
}

// A proxy may not tell Beckon about TLS or a path, so for the same host, the address that works counts.
async function chooseBase({ url, said, home, isForOthers }: BaseChoice): Promise<string> {
  const base = said.slice(0, said.lastIndexOf('/login#'));
  const chosen = new URL(base).host === new URL(url).host ? url : base;
  if (!isLoopback(new URL(chosen).hostname)) return chosen;
  const { networkUrl, certificates, url: daemonUrl } = (await findDaemon(toStatePath(home)))?.state ?? {};
  // Browsers accept the certificate of a daemon only under the names that it has.
  const isBetter = daemonUrl === url && (isForOthers || certificates !== undefined);
  return isBetter && networkUrl !== undefined ? networkUrl : chosen;
}

function toUnreachableByPhone(): BeckonError {
  return new BeckonError(
    'invalid_input',
    'A phone cannot reach this Beckon, because it listens only on this machine. ' +
      'Start it with: beckon up --host 0.0.0.0, or behind a proxy with --public-url URL',
  );
}

function toRights(who: string, { role, answerOnly }: LoginLinkBody): string {
  if (role === 'admin') return `This link lets ${who} do everything.`;
  return answerOnly === false
    ? `This link lets ${who} answer, change what runs and add rules, and so run anything on the agents' machines.`
    : `This link lets ${who} answer, but not change what runs or add rules. To allow that, add --may-change.`;
}
