import { connectMachineEntry } from '../../client/connect-machines.ts';
import { isLoopback } from '../../machine/address.ts';
import { BeckonError } from '../../protocol/errors.ts';
import {
  MACHINE_LOGIN_SECONDS,
  type MachineLoginStarted,
  type MachineLoginStatus,
} from '../../protocol/machine-login.ts';
import { newTokenSecret, toSecretHash, toTokenText } from '../../runtime/token-text.ts';
import { RETRY_SECONDS } from '../client.ts';
import { note } from '../output.ts';
import { describeMachine } from './describe-machine.ts';

/** After its last moment a login may still be heard of: the server has to be reached once more. */
const GRACE_SECONDS = 30;

/** What the command shows while a person decides. `link` is what they open. */
export interface Shown extends MachineLoginStarted {
  link: string;
  /** By this machine's clock, which may differ from the server's. */
  endsAt: number;
}

/** How a login ended. `token` is what this machine made. `undefined`: the person at the terminal left. */
export type LoginEnd = { status: MachineLoginStatus; token: string; withdraw: () => Promise<boolean> } | undefined;

/**
 * Asks the Beckon at `url` to let this machine in, and waits for the decision through restarts and broken connections.
 * If `signal` ends it, the login is withdrawn.
 */
export async function logIn(options: {
  url: string;
  name: string | undefined;
  signal: AbortSignal;
  onStart: (shown: Shown) => { clear: () => void };
}): Promise<LoginEnd> {
  const { url, signal } = options;
  const secret = newTokenSecret();
  const begunAt = Date.now();
  const started = await start(url, { hash: toSecretHash(secret), ...describeMachine(options.name) });
  const token = toTokenText({ id: started.id, secret });
  const entry = connectMachineEntry(url, { token, retryFor: RETRY_SECONDS });
  const withdraw = (): Promise<boolean> => entry.leave();
  const line = options.onStart({
    ...started,
    link: toLink(url, started),
    endsAt: begunAt + MACHINE_LOGIN_SECONDS * 1000,
  });
  const limit = AbortSignal.timeout((MACHINE_LOGIN_SECONDS + GRACE_SECONDS) * 1000);
  let isTold = false;
  const onError = (): void => {
    if (isTold) return;
    isTold = true;
    line.clear();
    note(`Beckon cannot be reached at ${url} right now. This command goes on waiting.`);
  };
  try {
    const status = await entry.wait({ signal: AbortSignal.any([signal, limit]), onError });
    return { status, token, withdraw };
  } catch (error) {
    line.clear();
    if (signal.aborted) {
      await withdrawOrSay(withdraw);
      return undefined;
    }
    if (!limit.aborted) throw error;
    throw new BeckonError(
      'unreachable',
      `Beckon could not be reached at ${url} until the code had expired. ` +
        'If somebody approved this machine meanwhile, revoke it on the page under Machines.',
      { cause: error },
    );
  } finally {
    line.clear();
  }
}

async function start(url: string, body: Parameters<ReturnType<typeof connectMachineEntry>['start']>[0]) {
  try {
    return await connectMachineEntry(url, { retryFor: RETRY_SECONDS }).start(body);
  } catch (error) {
    if (!(error instanceof BeckonError) || error.code !== 'route_not_found') throw error;
    throw new BeckonError('unreachable', toNoLogin(url), { cause: error });
  }
}

function toNoLogin(url: string): string {
  const { pathname, origin } = new URL(url);
  const old = 'too old for "beckon login". Ask its owner to update it, or for a token to set as BECKON_TOKEN.';
  if (pathname === '/') return `The Beckon at ${url} is ${old}`;
  return `There is a Beckon at ${origin}, but not below ${pathname}. Try: beckon login ${origin}. If the path is right, it is ${old}`;
}

/** Leaves nothing behind, not even a token that was approved in this moment. */
async function withdrawOrSay(withdraw: () => Promise<boolean>): Promise<void> {
  try {
    await withdraw();
    note('Stopped. The login was withdrawn.');
  } catch (error) {
    if (!(error instanceof BeckonError)) throw error;
    note('Stopped. The login could not be withdrawn, because Beckon cannot be reached. It expires by itself.');
  }
}

// A server that does not know its own name gives a link that works only there.
function toLink(url: string, { verifyUrl, userCode }: MachineLoginStarted): string {
  const isOnlyThere = isLoopback(new URL(verifyUrl).hostname) && !isLoopback(new URL(url).hostname);
  return isOnlyThere ? `${url}/connect#${userCode}` : verifyUrl;
}
