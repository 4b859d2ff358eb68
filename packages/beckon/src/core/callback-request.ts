import { ANSWER_INPUTS, type ComponentAnswer } from '../protocol/answers.ts';
import { BeckonError, type ErrorCode } from '../protocol/errors.ts';
import type { Interaction } from '../protocol/interaction.ts';
import { parse } from '../protocol/parse.ts';
import { parseJson } from '../protocol/parse-json.ts';
import { PROBLEM_TYPE, toProblem } from '../protocol/problem.ts';

/** Whether we made a callback URL, and it is still good. */
export type UrlVerdict = 'good' | 'forged' | 'expired';

/** Makes and checks signed callback URLs. They need no token, because nobody can guess them. */
export interface CallbackUrls {
  toUrl(baseUrl: string, interaction: Interaction): string;
  check(id: string, proof: UrlProof): UrlVerdict;
}

/**
 * What the query of a signed callback URL says: when it expires, in seconds since 1970, and the proof that we made it.
 */
export interface UrlProof {
  expires?: string | null;
  signature?: string | null;
}

/** Reads the proof from a URL, or from the path and query of one. */
export function readProof(url: string): UrlProof {
  const query = new URLSearchParams(url.split('?', 2)[1]);
  return { expires: query.get('expires'), signature: query.get('signature') };
}

/** A request to `/callback/:id`, as any HTTP server can describe it. */
export interface CallbackRequest {
  id: string;
  /** A browser's preflight (`OPTIONS`) instead of an event. */
  isPreflight: boolean;
  headers: { host?: string | undefined; origin?: string | undefined; 'content-type'?: string | undefined };
  /** Reads the body, if it has not been read yet. */
  readBody(): string | Promise<string>;
}

/** A callback that the request may be for. */
export interface FoundCallback {
  /** `good` for a URL that needs no signature. A forged one is treated like an unknown id. */
  verdict: UrlVerdict;
  /** The pages that its agent named, such as `https://app.example.com`; empty if it named none. */
  origins(): readonly string[] | Promise<readonly string[]>;
  /** Takes the event. Throws what the page is told instead. */
  take(event: ComponentAnswer): TakenResult | Promise<TakenResult>;
}

/** What a page hears when its event counts: as the first one, or as a repeat of it. */
export type TakenResult = 'accepted' | 'repeated';

/** How a server finds the callback that a request is for. */
export interface CallbackLookup {
  /** Whether its callback URLs are signed, so that knowing one is a permission. */
  readonly isSigned: boolean;
  find(): FoundCallback | undefined | Promise<FoundCallback | undefined>;
}

/** The whole reply. `failure` is what went wrong on our side, for the log. */
export interface CallbackReply {
  status: number;
  headers: Record<string, string>;
  body: string;
  failure?: unknown;
}

/**
 * Handles one request to `/callback/:id`, the same on every server: checks the signature and the page's origin, reads
 * the event, hands it over and words the reply. Never rejects.
 */
export async function handleCallback(request: CallbackRequest, lookup: CallbackLookup): Promise<CallbackReply> {
  const headers: Record<string, string> = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
  try {
    const found = await lookup.find();
    const callback = found?.verdict === 'forged' ? undefined : found;
    await allowOrigin(request, callback, lookup.isSigned, headers);
    if (request.isPreflight) {
      if (request.headers.origin === undefined)
        throw refuse('route_not_found', 'OPTIONS is only for pages of a browser.');
      return { status: 204, headers, body: '' };
    }
    if (callback === undefined) throw toUnknownCallback(request.id);
    if (callback.verdict === 'expired')
      throw refuse('answer_late', 'This callback URL has expired. Ask the agent again.');
    const event = parse(ANSWER_INPUTS.component, await readJson(request), { what: 'callback event' });
    const result = await callback.take(event);
    return { status: 200, headers: withType(headers, 'application/json'), body: JSON.stringify({ result }) };
  } catch (error) {
    const known = error instanceof BeckonError ? error : refuse('internal', 'The event was not taken. Send it again.');
    if (known.status === 503) headers['retry-after'] = '1';
    return {
      status: known.status,
      headers: withType(headers, PROBLEM_TYPE),
      body: JSON.stringify(toProblem(known)),
      ...(known.status >= 500 && { failure: error }),
    };
  }
}

/** The error for an id that no callback has, or whose URL was forged. */
export function toUnknownCallback(id: string): BeckonError {
  return refuse('interaction_not_found', `No callback ${JSON.stringify(id.slice(0, 200))} at this URL.`);
}

/** The error for a second, different event. It does not say what the first one was. */
export function toLostEvent(): BeckonError {
  return refuse('answer_lost', 'This callback already has its event. The first one counts.');
}

/**
 * Pages of the same host may always send events. If the agent named `origins`, those pages may as well, and no others.
 * If it named none, a signed URL works from any page, because knowing it is the permission; an id that can be guessed
 * works from none.
 */
async function allowOrigin(
  { headers: { origin, host } }: CallbackRequest,
  callback: FoundCallback | undefined,
  isSigned: boolean,
  reply: Record<string, string>,
): Promise<void> {
  if (origin === undefined || isSameHost(origin, host)) return;
  const named = (await callback?.origins()) ?? [];
  if (named.length === 0 ? !isSigned : !named.includes(origin)) {
    throw refuse('origin_refused', 'Pages of this site may not send events. Name it in "origins" of the callback.');
  }
  Object.assign(reply, {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'content-type',
    'access-control-max-age': '600',
    // For pages of the network that reach a server on this machine.
    'access-control-allow-private-network': 'true',
    vary: 'Origin',
  });
}

function isSameHost(origin: string, host: string | undefined): boolean {
  return /^https?:\/\/(.*)$/.exec(origin.toLowerCase())?.[1] === host?.toLowerCase();
}

async function readJson({ headers, readBody }: CallbackRequest): Promise<unknown> {
  if (!/^application\/(json|[\w.+-]+\+json)\b/i.test(headers['content-type'] ?? '')) {
    throw refuse('unsupported_media_type', 'Send JSON with "Content-Type: application/json".');
  }
  return parseJson(await readBody(), () => 'The body is not JSON.');
}

function withType(headers: Record<string, string>, type: string): Record<string, string> {
  return { ...headers, 'content-type': type };
}

function refuse(code: ErrorCode, message: string): BeckonError {
  return new BeckonError(code, message);
}
