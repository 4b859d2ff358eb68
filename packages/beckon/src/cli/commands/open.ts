import type { Command } from 'commander';
import { connectAccount } from '../../client/connect-account.ts';
import type { Config } from '../../daemon/config.ts';
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
  const link = await withBeckon(options, async (_beckon, config, { url, token }) => {
    const base = options.qr === true ? await findNetworkUrl(config, url) : url;
    const made = await connectAccount(url, { token }).createLink(wanted);
    // The address that is known to work from here, or from the phone.
    return { url: `${base}/login${new URL(made.url).hash}`, expiresAt: made.expiresAt };
  });
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

async function findNetworkUrl({ home }: Config, url: string): Promise<string> {
  if (!isLoopback(new URL(url).hostname)) return url;
  const found = await findDaemon(toStatePath(home.value));
  const { networkUrl } = found?.state.url === url ? found.state : {};
  if (networkUrl !== undefined) return networkUrl;
  throw new BeckonError(
    'invalid_input',
    'A phone cannot reach this Beckon, because it listens only on this machine. Start it with: beckon up --host 0.0.0.0',
  );
}

function toRights(who: string, { role, answerOnly }: LoginLinkBody): string {
  if (role === 'admin') return `This link lets ${who} do everything.`;
  return answerOnly === false
    ? `This link lets ${who} answer, change what runs and add rules, and so run anything on the agents' machines.`
    : `This link lets ${who} answer, but not change what runs or add rules. To allow that, add --may-change.`;
}
