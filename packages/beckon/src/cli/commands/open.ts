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
      summary: 'Open the inbox page, logged in.',
      examples: [
        ['beckon open', 'in the browser of this machine'],
        ['beckon open --print', 'only print the link: it logs one browser in, within 10 minutes'],
        ['beckon open --qr', 'a code for the camera of a phone'],
        ['beckon open --who ada --chat ops --print', 'a link for somebody else, for one conversation: answers only'],
        ['beckon open --who ada --may-change --print', 'ada may also change what runs, and make rules'],
      ],
    })
      .option('--print', 'print the link, open nothing')
      .option('--qr', 'print the link as a QR code, for a Beckon that other machines can reach')
      .option('--who <name>', 'whom to log in (default: you)')
      .option('--role <role>', 'person: see and answer; admin: everything (default for --who: person)')
      .option('--chat <id>', 'only for this conversation')
      .option('--answer-only', 'may answer, but not change what runs, nor make rules (default for --who)')
      .option('--may-change', 'may also change what runs and make rules: the right to run what they like'),
  ).action(runOpen);
}

async function runOpen(options: OpenOptions): Promise<void> {
  const { who, role, chat, answerOnly, mayChange } = options;
  if (answerOnly === true && mayChange === true) {
    throw new BeckonError('invalid_input', '--answer-only and --may-change say the opposite. Choose one.');
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
    // Under the address that is known to work from here, or from the phone.
    return { url: `${base}/login${new URL(made.url).hash}`, expiresAt: made.expiresAt };
  });
  if (options.json === true) return printJson(link);
  if (options.qr === true) {
    const { renderUnicodeCompact } = await import('uqr');
    print(renderUnicodeCompact(link.url));
  }
  if (who !== undefined) note(toRights(who, wanted));
  // A link for somebody else is not for this machine's browser.
  if (options.print === true || options.qr === true || who !== undefined) return print(link.url);
  if (await openBrowser(link.url)) return note('Opened the page in your browser.');
  note('No browser can be opened here. Open this link: it works once, within 10 minutes.');
  print(link.url);
}

async function findNetworkUrl({ home }: Config, url: string): Promise<string> {
  if (!isLoopback(new URL(url).hostname)) return url;
  const found = await findDaemon(toStatePath(home.value));
  const { networkUrl } = found?.state.url === url ? found.state : {};
  if (networkUrl !== undefined) return networkUrl;
  throw new BeckonError(
    'invalid_input',
    'Only this machine can reach this Beckon. For a phone, start it with: beckon up --host 0.0.0.0',
  );
}

function toRights(who: string, { role, answerOnly }: LoginLinkBody): string {
  if (role === 'admin') return `It lets ${who} do everything.`;
  return answerOnly === false
    ? `It lets ${who} answer, change what runs and make rules: whoever has it can run what they like on the agents' machines.`
    : `It lets ${who} answer, but not change what runs, nor make rules. --may-change allows that.`;
}
