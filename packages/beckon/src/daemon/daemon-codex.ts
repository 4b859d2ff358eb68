import type { FastifyBaseLogger } from 'fastify';
import { type Asker, CODEX_VERSION, CodexConnector, type CodexState } from '../adapters/codex/index.ts';
import type { Caller } from '../core/access.ts';
import type { Beckon } from '../core/beckon.ts';
import { writePrivateFile } from '../machine/private-file.ts';
import type { Tokens } from '../runtime/tokens.ts';
import { toHomeFile, toHookTokenPath } from '../where/home.ts';
import { createToken, readTokenFile, toTokenPath } from './token-file.ts';

/** Where the folders of Codex and Beckon are. */
export interface DaemonCodexOptions {
  codexHome: string;
  home: string;
}

/** Connects a daemon to the Codex of the user who runs it. */
export function createDaemonCodex(
  { codexHome, home }: DaemonCodexOptions,
  parts: { beckon: Beckon; tokens: Tokens; version: string; logger: FastifyBaseLogger },
): CodexConnector {
  const { beckon, tokens, version, logger } = parts;
  return new CodexConnector({
    beckon,
    codexHome,
    version,
    findAsker: createFindAsker(tokens, home),
    onError: (error) => logger.warn({ err: error }, 'a failure with Codex, which goes on by itself'),
    onChange: (state) => {
      writeCodexState(home, state);
      const { version: found, problem, threads } = state;
      if (found === null) logger.debug(`Codex is not connected: ${problem}`);
      else logger.debug(`Codex ${found} is connected, with ${threads.length} sessions`);
      if (found !== null && found !== CODEX_VERSION && threads.length === 0) {
        logger.info(`Codex ${found} is connected. Tests of this Beckon run ${CODEX_VERSION}.`);
      }
    },
  });
}

/** Writes what is connected to Codex, for `beckon codex status`. */
export function writeCodexState(home: string, state: CodexState): void {
  writePrivateFile(toHomeFile(home, 'codexState'), `${JSON.stringify({ pid: process.pid, ...state })}\n`);
}

/**
 * Codex asks under a token of its own, that of its hooks, so nobody else can take the name or see what it asked. It
 * belongs to the owner of the token file, who is also the one at Codex's terminal. It is made when Codex first asks.
 */
function createFindAsker(tokens: Tokens, home: string): () => Promise<Asker> {
  let making: Promise<Caller> | undefined;
  return async () => {
    making ??= findCaller(tokens, home).catch((error: unknown) => {
      making = undefined;
      throw error;
    });
    const { name, id } = await making;
    const owner = await tokens.check(readTokenFile(toTokenPath(home)) ?? '');
    return {
      asks: { askedBy: name, ...(id !== undefined && { askerId: id }) },
      person: { who: owner?.name ?? name, via: 'terminal' },
    };
  };
}

async function findCaller(tokens: Tokens, home: string): Promise<Caller> {
  const path = toHookTokenPath(home, 'codex');
  const known = await tokens.check(readTokenFile(path) ?? '');
  if (known !== null) return known;
  const owner = await tokens.check(readTokenFile(toTokenPath(home)) ?? '');
  const { name, text } = await createToken(tokens, 'codex', 'agent', owner?.name);
  writePrivateFile(path, `${text}\n`);
  return (await tokens.check(text)) ?? { name, role: 'agent' };
}
