import type { Command } from 'commander';
import { connectAccount } from '../../client/connect-account.ts';
import { toHttpSettings } from '../../client/settings.ts';
import { isLoopback } from '../../machine/address.ts';
import { toVisible } from '../../presentation/visible.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { MachineLoginStatus } from '../../protocol/machine-login.ts';
import { toLocalTime } from '../../terminal/describe.ts';
import { toHome } from '../../where/home.ts';
import { DEFAULT_PROFILE, LOCAL_PROFILE, type Profile, readProfiles, saveProfile } from '../../where/profiles.ts';
import { openBrowser } from '../browser.ts';
import { RETRY_SECONDS } from '../client.ts';
import { createCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { type LoginEnd, logIn, type Shown } from '../login/log-in.ts';
import { showWaiting } from '../login/waiting-line.ts';
import { note, print, printJson } from '../output.ts';

interface LoginOptions {
  profile?: string;
  name?: string;
  open: boolean;
  json?: boolean;
}

export function createLogin(): Command {
  return createCommand('login', {
    summary: 'Let the agents of this machine ask a Beckon elsewhere. A person approves it on the page.',
    examples: [
      ['beckon login https://beckon.example.com', 'show a code, and wait until somebody approves it'],
      [
        'beckon login https://beckon.example.com --no-open',
        'do not open a browser here; type the code on another device',
      ],
      ['beckon login https://other.example --profile other', 'keep a second login beside the first'],
    ],
    more: 'Exit codes: 0 logged in, 3 refused, 4 expired, 5 stopped with Ctrl-C, 6 Beckon cannot be reached.',
  })
    .argument('<url>', 'address of the Beckon, such as https://beckon.example.com')
    .option('--profile <name>', `what to call this login (default: ${DEFAULT_PROFILE})`)
    .option('--name <name>', 'what to call this machine (default: its host name)')
    .option('--no-open', 'do not open a browser')
    .option('--json', 'print JSON: one document with the code, and one with the outcome')
    .action(runLogin);
}

async function runLogin(given: string, options: LoginOptions): Promise<void> {
  const { baseUrl: url } = toHttpSettings(given, {});
  const home = toHome(process.env);
  const profile = parseProfileName(options.profile ?? DEFAULT_PROFILE);
  const known = readProfiles(home).profiles[profile];
  if (known !== undefined && (await isLoggedIn(url, profile, known))) {
    saveProfile(home, profile, known);
    return report(profile, known, options.json === true, 'Already logged in');
  }
  if (new URL(url).protocol === 'http:' && !isLoopback(new URL(url).hostname)) {
    note(
      'WARNING: this connection is not encrypted. Whoever can read it can use the login of this machine. Use https.',
    );
  }
  const left = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => left.abort());
  const end = await logIn({
    url,
    name: options.name,
    signal: left.signal,
    onStart: (shown) => announce(shown, options),
  });
  await finish(end, { url, home, profile, json: options.json === true });
}

/** Shows the code and the link, and opens the browser where there is one. */
function announce(shown: Shown, { open, json = false }: LoginOptions): { clear: () => void } {
  const { userCode, link, expiresAt, endsAt } = shown;
  if (json) {
    printJson({ status: 'pending', userCode, verifyUrl: link, expiresAt });
    return { clear: () => undefined };
  }
  note(`To let this machine in, open ${link}`);
  note(`Its code is ${userCode}. It works once, until ${toLocalTime(new Date(endsAt).toISOString())}.`);
  note(`No browser here? Open ${link.split('#')[0]} on any device where you are logged in, and type the code.`);
  if (open && process.stderr.isTTY) void openBrowser(link);
  return showWaiting(endsAt);
}

async function finish(
  end: LoginEnd,
  { url, home, profile, json }: { url: string; home: string; profile: string; json: boolean },
): Promise<void> {
  if (end === undefined) {
    process.exitCode = EXIT.cancelled;
    if (json) printJson({ status: 'cancelled' });
    return;
  }
  const { status, token, withdraw } = end;
  if (status.status !== 'approved') return reportFailure(status, url, json);
  const { name = '', by: owner = '', chatId } = status;
  const kept = { url, token, name, owner, savedAt: new Date().toISOString() };
  try {
    saveProfile(home, profile, kept);
  } catch (error) {
    // A token that is kept nowhere would be of use to nobody.
    await withdraw();
    throw error;
  }
  report(profile, kept, json, 'Logged in');
  if (json) return;
  if (chatId !== undefined) note(`This machine may ask in the chat "${chatId}" only.`);
  note(
    `${owner} owns it from now on, can revoke it, and can make rules for it if allowed to. If you do not know them, run: beckon logout`,
  );
  note('Next, let Claude Code ask there: beckon claude install');
}

function report(profile: string, { url, name, owner }: Profile, json: boolean, how: string): void {
  if (json) printJson({ status: 'approved', profile, url, name, owner });
  else print(toVisible(`${how} at ${url} as ${name}, approved by ${owner} (profile "${profile}").`));
}

function reportFailure({ status, by }: MachineLoginStatus, url: string, json: boolean): void {
  process.exitCode = status === 'refused' ? EXIT.denied : EXIT.expired;
  if (json) return printJson({ status, ...(by !== undefined && { by }) });
  note(
    status === 'refused'
      ? `${by} refused this machine.`
      : `Nobody decided within 10 minutes, so the code has expired. Try again with: beckon login ${url}`,
  );
}

/** Whether this machine is in already. A login that does not work any more may be replaced, one elsewhere may not. */
async function isLoggedIn(url: string, name: string, known: Profile): Promise<boolean> {
  if (known.url !== url) {
    throw new BeckonError(
      'invalid_input',
      `The profile "${name}" is logged in at ${known.url}. ` +
        'Choose another name with --profile, or log out there first: beckon logout',
    );
  }
  return (await connectAccount(url, { token: known.token, retryFor: RETRY_SECONDS }).me()) !== null;
}

function parseProfileName(name: string): string {
  if (/^[A-Za-z0-9][\w.-]{0,63}$/.test(name) && name !== LOCAL_PROFILE) return name;
  throw new BeckonError(
    'invalid_input',
    name === LOCAL_PROFILE
      ? `"${LOCAL_PROFILE}" is the Beckon of this machine itself. Choose another name with --profile.`
      : `Expected a name of up to 64 letters, digits, ".", "_" and "-" for --profile, got ${JSON.stringify(name)}.`,
  );
}
