import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import * as z from 'zod/mini';
import { BeckonError } from '../../protocol/errors.ts';

/** How long Codex may take for one call. */
const LIMIT_MS = 20_000;

const Reply = z.looseObject({
  id: z.optional(z.number()),
  result: z.optional(z.unknown()),
  error: z.optional(z.looseObject({ message: z.string() })),
});

/** Calls a method of Codex's app server, and gives its result. */
export type CallCodex = (method: string, params: object) => Promise<unknown>;

/**
 * Runs an app server of Codex on its standard input and output for as long as `use` takes. It starts no session. Throws
 * `unreachable` if it ends, fails or takes too long.
 */
export async function withCodexAppServer<Result>(
  program: string,
  use: (call: CallCodex) => Promise<Result>,
): Promise<Result> {
  const child = spawn(program, ['app-server'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: unknown) => void }>();
  const fail = (why: string): void => {
    for (const { reject } of waiting.values()) reject(new BeckonError('unreachable', `${program} app-server ${why}.`));
    waiting.clear();
  };
  child.on('error', ({ message }) => fail(`cannot be run: ${message}`));
  child.on('close', () => fail('ended'));
  child.stdin.on('error', () => undefined);
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id = -1, result, error } = parseReply(line) ?? {};
    const waiter = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) waiter?.resolve(result);
    else waiter?.reject(new BeckonError('unreachable', `${program} app-server refused: ${error.message}`));
  });
  const timer = setTimeout(() => fail(`did not reply within ${LIMIT_MS / 1000} s`), LIMIT_MS);
  let count = 0;
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify(message)}\n`);
  const call: CallCodex = (method, params) =>
    new Promise((resolve, reject) => {
      timer.refresh();
      const id = (count += 1);
      waiting.set(id, { resolve, reject });
      send({ id, method, params });
    });
  try {
    const clientInfo = { name: 'beckon', title: 'Beckon', version: '0.0.1' };
    await call('initialize', { clientInfo, capabilities: { experimentalApi: true } });
    send({ method: 'initialized' });
    return await use(call);
  } finally {
    clearTimeout(timer);
    child.kill();
  }
}

function parseReply(line: string): z.output<typeof Reply> | null {
  try {
    return z.safeParse(Reply, JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}
