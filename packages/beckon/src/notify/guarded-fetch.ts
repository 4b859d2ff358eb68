import { isIP, type LookupFunction, type Socket } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { exchange, type Reply } from '../bridge/exchange.ts';
import { BeckonError } from '../protocol/errors.ts';
import { type AddressRules, createAddressRules, toHostName } from './addresses.ts';
import { type ResolveHost, resolveHost } from './resolve-host.ts';

/** The longest time that one request may take. */
export const SEND_MS = 15_000;
/** How much of a reply is read. */
const REPLY_BYTES = 16_384;

/** A request to an address that somebody gave us. */
interface GuardedRequest {
  url: string;
  method: 'GET' | 'POST' | 'PUT';
  headers: Readonly<Record<string, string>>;
  body?: string | Buffer;
  signal?: AbortSignal;
}

/** A reply whose body may never end. */
interface StreamedReply extends Omit<Reply, 'text'> {
  body: AsyncIterable<Uint8Array>;
}

/**
 * Sends requests to addresses of strangers. An address inside the network is refused with `address_refused`, unless
 * the setting allows it. Names are resolved once for each connection, every address is checked, and the connection goes
 * to a checked one. Redirects are replies like any other: nobody follows them.
 */
export interface GuardedFetch {
  /** Rejects without a reply. A reply that breaks off or is too long has what came of it. */
  send(request: GuardedRequest): Promise<Reply>;
  /** Reads a reply as it comes, for as long as it lasts. The signal ends it, and so does leaving the loop. */
  stream(request: GuardedRequest): Promise<StreamedReply>;
  /** Throws `address_refused` or `invalid_input` if the address cannot be used now. */
  check(url: string): Promise<void>;
  close(): Promise<void>;
}

/** `allow` has hosts and ranges inside the network. `resolve` is for tests of name servers that lie. */
export function createGuardedFetch(options: { allow: readonly string[]; resolve?: ResolveHost }): GuardedFetch {
  const rules = createAddressRules(options.allow);
  const resolve = options.resolve ?? resolveHost;
  const agent = new Agent({
    headersTimeout: SEND_MS,
    bodyTimeout: SEND_MS,
    keepAliveTimeout: 30_000,
    connect: createConnector(rules, resolve),
  });
  return {
    send: async (request) =>
      exchange(agent, toDispatch(request), { timeoutMs: SEND_MS, replyBytes: REPLY_BYTES, signal: request.signal }),
    stream: async (request) => {
      const { signal } = request;
      const reply = await agent.request({ ...toDispatch(request), signal: signal ?? null, bodyTimeout: 0 });
      return { status: reply.statusCode, headers: reply.headers, body: reply.body };
    },
    check: async (url) => {
      await findAddresses(toHostName(parseUrl(url).hostname), rules, resolve);
    },
    close: () => agent.destroy(),
  };
}

function toDispatch({ url, method, headers, body }: GuardedRequest): Dispatcher.DispatchOptions & { origin: string } {
  const { origin, pathname, search } = parseUrl(url);
  return { origin, path: `${pathname}${search}`, method, headers: { ...headers }, body: body ?? null };
}

/** Connects to a checked address, and looks again at where the connection leads. */
function createConnector(rules: AddressRules, resolve: ResolveHost): buildConnector.connector {
  const connect = buildConnector({
    timeout: SEND_MS,
    allowH2: false,
    lookup: createLookup(rules, resolve),
  });
  return (target, callback) => {
    const host = toHostName(target.hostname);
    // For an address in the URL nothing is looked up.
    if (isIP(host) !== 0 && !isAllowed(host, host, rules)) return callback(toRefused(host, host), null);
    connect(target, (error, socket) => {
      const { remoteAddress = '' } = (socket ?? {}) as Socket;
      if (error !== null || isAllowed(host, remoteAddress, rules)) return callback(...([error, socket] as never));
      socket?.destroy();
      callback(toRefused(host, remoteAddress), null);
    });
  };
}

function createLookup(rules: AddressRules, resolve: ResolveHost): LookupFunction {
  const answer = async (...[host, { all }, callback]: Parameters<LookupFunction>): Promise<void> => {
    let found: string[];
    try {
      found = await findAddresses(toHostName(host), rules, resolve);
    } catch (error) {
      return callback(error as NodeJS.ErrnoException, '');
    }
    const addresses = found.map((address) => ({ address, family: isIP(address) }));
    const [first = { address: '', family: 0 }] = addresses;
    if (all === true) callback(null, addresses);
    else callback(null, first.address, first.family);
  };
  return (...call) => void answer(...call);
}

/** The addresses of a host, all of which may be used. */
async function findAddresses(host: string, rules: AddressRules, resolve: ResolveHost): Promise<string[]> {
  const addresses = isIP(host) === 0 ? await resolveOrRefuse(host, resolve) : [host];
  const refused = addresses.find((address) => !isAllowed(host, address, rules));
  if (refused !== undefined) throw toRefused(host, refused);
  return addresses;
}

async function resolveOrRefuse(host: string, resolve: ResolveHost): Promise<string[]> {
  const addresses = await resolve(host).catch((error: unknown) => {
    throw new BeckonError('address_refused', `The name ${host} cannot be looked up: ${(error as Error).message}`, {
      cause: error,
    });
  });
  if (addresses.length > 0 && addresses.every((address) => isIP(address) !== 0)) return addresses;
  throw new BeckonError('address_refused', `The name ${host} has no address.`);
}

function isAllowed(host: string, address: string, rules: AddressRules): boolean {
  return rules.isAllowedHost(host) || rules.isAllowedAddress(address);
}

function toRefused(host: string, address: string): BeckonError {
  const leads = host === address ? host : `${host} leads to ${address}, which`;
  return new BeckonError(
    'address_refused',
    `${leads} is inside the network, so nothing is sent there. If it is meant, allow it: ` +
      `beckon up --allow-destination ${host}`,
  );
}

/** The form of a URL decides how its host is spelled: `0x7f.1` and `2130706433` are 127.0.0.1 here. */
function parseUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.username === '' && parsed.password === '') {
    return parsed;
  }
  throw new BeckonError('invalid_input', 'Expected an http or https URL without a user name or a password.');
}
