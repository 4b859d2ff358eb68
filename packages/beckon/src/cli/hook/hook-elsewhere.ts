import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasSpooled, SPOOL_LIMITS, spoolElsewhere, toSpoolFolder } from '../../bridge/elsewhere-spool.ts';
import { toTestHook } from '../../core/agent-hooks.ts';
import type { FoundBeckon } from '../../where/find-beckon.ts';
import { toHome, toHomeFile } from '../../where/home.ts';
import { comeBack } from './come-back.ts';
import { describeFault } from './describe-fault.ts';
import type { HookOptions } from './hook-options.ts';
import { type PostOptions, type PostReply, post } from './hook-post.ts';
import { isHeadless, REPORT_MS, type SentHook, toHookPath, toHookQuery, waitsForPeople } from './sent-hook.ts';
import { startSender } from './start-sender.ts';
import { forgetSession, noteFor, takeNote } from './told.ts';
import { whenLeft } from './when-left.ts';

/** How long a report may take that the client does not wait for. */
const ASIDE_MS = 5000;
/** How long it may take to connect: whoever is off the company's network should soon know. */
const CONNECT_MS = 5000;
/** How long a call beside the wait for people may take, on a slow line. */
const CALL_MS = 15_000;
/** Claude Code kills a hook that it no longer waits for a little more than a second later; others may be faster. */
const LEAVING_MS = 1000;

/** A hook for a Beckon elsewhere, and the folder in which it waits if it cannot be sent. */
interface Errand {
  sent: SentHook;
  sessionId: string;
  found: FoundBeckon;
  options: HookOptions;
  folder: string;
}

/**
 * Hands a hook to a Beckon on another machine, and returns what the client is told. A line that breaks ends nothing:
 * asks come back under their key, and reports that do not get through wait in a spool for that Beckon. The person at
 * the client is told once a session that Beckon cannot be reached.
 */
export async function handOverElsewhere(sent: SentHook, found: FoundBeckon, options: HookOptions): Promise<string> {
  const { sessionId } = sent;
  if (sessionId === undefined) return '';
  const folder = toSpoolFolder(toHomeFile(found.home, 'elsewhere'), found.url);
  const errand: Errand = { sent, sessionId, found, options, folder };
  return waitsForPeople(sent, options) ? ask(errand) : report(errand);
}

/** What the client is told about a hook that goes nowhere, because a setting says wrongly where it should go. */
export function tellLost(sent: SentHook, cause: unknown): string {
  const { sessionId, dialect } = sent;
  const why = cause instanceof Error ? cause.message : String(cause);
  if (sessionId === undefined) return '';
  note(sent, `${why} Until then, ${dialect.title} asks only here.`);
  return tell(sent);
}

async function ask(errand: Errand): Promise<string> {
  const { sent, found, options, folder } = errand;
  const { askPeople } = await import('./hook-ask.ts');
  const stay = whenLeft(() => void leave(errand));
  const reply = await askPeople(
    { ...sent, query: toHookQuery(options, true) },
    {
      send: (path, text, limitMs) => call(errand, path, { limitMs, ...(text !== undefined && { text }) }),
      persist: (attempt) =>
        comeBack(
          ({ holdSeconds, ...rest }) => attempt({ ...rest, query: `&hold=${holdSeconds}` }),
          // This clock stands still while the machine sleeps.
          { now: () => performance.now(), sleep, random: Math.random },
        ),
      limitMs: CALL_MS,
    },
  );
  stay();
  if (reply.result === 'replied') {
    if (hasSpooled(folder)) startSender(folder, found, options.where);
    return reply.text;
  }
  // Beckon may have the question: it learns later that nobody waits for the answer.
  spool(errand);
  note(sent, `${describeFault(found, reply)} ${sent.dialect.title} asks only here.`);
  return '';
}

/** Says that nobody waits for the answer any more. It is on disk first, because this process may be killed. */
async function leave(errand: Errand): Promise<never> {
  const path = spool(errand, false);
  const reply = await call(errand, toHookPath(errand.sent.dialect, `${toHookQuery(errand.options, false)}&late=true`), {
    text: errand.sent.text,
    limitMs: LEAVING_MS,
  });
  if (path !== null && reply.result === 'replied') rmSync(path, { force: true });
  else startSender(errand.folder, errand.found, errand.options.where);
  process.exit(0);
}

async function report(errand: Errand): Promise<string> {
  const { sent, sessionId, found, folder } = errand;
  const { event } = sent;
  const isBehind = hasSpooled(folder);
  // Clients end hooks that they do not wait for when they end themselves.
  const stay = whenLeft(() => {
    spool(errand);
    process.exit(0);
  });
  const reply = isBehind && event !== 'SessionStart' ? null : await tryNow(errand, event, isBehind);
  stay();
  if (isBehind || reply?.result !== 'replied') spool(errand);
  if (reply !== null && reply.result !== 'replied')
    note(sent, `${describeFault(found, reply)} ${sent.dialect.title} asks only here.`);
  const said = tell(sent, reply?.result === 'replied');
  if (event === 'SessionEnd') forgetSession(toToldFolder(), sessionId);
  return said;
}

/** Sends a report; or a test that leaves no trace, if the report itself has to wait behind others. */
function tryNow(errand: Errand, event: string, isBehind: boolean): Promise<PostReply> {
  return call(errand, toHookPath(errand.sent.dialect, toHookQuery(errand.options, false)), {
    text: isBehind ? toTestHook(errand.sessionId) : errand.sent.text,
    limitMs: errand.sent.dialect.awaited?.has(event) === false ? ASIDE_MS : REPORT_MS,
  });
}

async function call(
  { sent, found }: Errand,
  path: string,
  options: Pick<PostOptions, 'text' | 'limitMs'>,
): Promise<PostReply> {
  const { url, token, certificates: pins } = found;
  if (token === undefined) return { result: 'refused' };
  return post({ ...options, url: new URL(`${url}${path}`), token, pins, key: sent.key, connectMs: CONNECT_MS });
}

/** Keeps a hook for later, and has it sent. Returns the path of its file; `null` if there is no room for it. */
function spool({ sent, sessionId, found, options, folder }: Errand, isToSend = true): string | null {
  const { hook, text, key, dialect } = sent;
  const root = toHomeFile(found.home, 'elsewhere');
  const path = spoolElsewhere(root, found.url, { id: key, agent: dialect.agent, sessionId, hook, text });
  if (path === null) {
    const most = `${SPOOL_LIMITS.bytes / 1024 / 1024} MiB or ${SPOOL_LIMITS.files} reports`;
    note(
      sent,
      `Too much waits for the Beckon at ${new URL(found.url).host} (${most}), so reports of ${dialect.title} are lost. ` +
        'See: beckon spool list',
    );
  }
  if (isToSend) startSender(folder, found, options.where);
  return path;
}

/** Notes what a later hook tells the person. Without a terminal nobody would read it. */
function note({ dialect, sessionId }: SentHook, message: string): void {
  if (!isHeadless() && dialect.telling !== undefined && sessionId !== undefined)
    noteFor(toToldFolder(), sessionId, message);
}

/** What the person is told now, in Claude Code's format. */
function tell({ dialect, event, sessionId }: SentHook, isBack = false): string {
  if (isHeadless() || dialect.telling?.has(event) !== true || sessionId === undefined) return '';
  const message = takeNote(toToldFolder(), sessionId);
  if (message === null) return '';
  return JSON.stringify({ systemMessage: isBack ? `${message} It can be reached again.` : message });
}

function toToldFolder(): string {
  return toHomeFile(toHome(process.env), 'told');
}
