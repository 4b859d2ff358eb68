import {
  CODEX_VERSION,
  connectAppServer,
  findSocket,
  listLoadedThreads,
  toCodexHome,
} from '../../adapters/codex/index.ts';
import { readVersion } from '../../daemon/version.ts';
import { toHome } from '../../where/home.ts';
import { readCodexState } from './codex-state.ts';

/** What was found out about Codex's shared app server. */
export interface InspectedCodex {
  /** Its socket; `null` if there is none that can be used. */
  socket: string | null;
  version: string | null;
  /** Whether our tests run this version. Others work as far as their messages fit. */
  isTested: boolean;
  /** The sessions that it has in memory. */
  loaded: string[];
  /** The sessions whose requests reach Beckon. */
  attached: string[];
  /** Whether a running Beckon is connected to it. */
  isConnected: boolean;
  /** What is missing or wrong, each with the next step. */
  problems: string[];
}

const NOT_THERE: InspectedCodex = {
  socket: null,
  version: null,
  isTested: false,
  loaded: [],
  attached: [],
  isConnected: false,
  problems: [],
};

/** Looks at the app server of this user's Codex. Joins no session, and never throws for what is wrong with it. */
export async function inspectCodex(env: NodeJS.ProcessEnv = process.env): Promise<InspectedCodex> {
  const found = findSocket(toCodexHome(env));
  if ('problem' in found) {
    const next = found.isFault ? '' : ' Start "codex" in a terminal; Beckon then connects by itself.';
    return { ...NOT_THERE, problems: [`${toSentence(found.problem)}${next}`] };
  }
  const { path: socket } = found;
  try {
    const handlers = { onRequest: () => undefined, onNotification: () => undefined };
    const server = await connectAppServer(socket, handlers, { clientVersion: readVersion() });
    try {
      return describe(server.version, { socket, loaded: await listLoadedThreads(server), home: toHome(env) });
    } finally {
      server.close();
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ...NOT_THERE, socket, problems: [`${toSentence(message)} Start "codex" again.`] };
  }
}

function describe(
  version: string,
  { socket, loaded, home }: { socket: string; loaded: string[]; home: string },
): InspectedCodex {
  const state = readCodexState(home);
  const isConnected = state !== null && state.version !== null;
  const isTested = version === CODEX_VERSION;
  return {
    socket,
    version,
    isTested,
    loaded,
    attached: isConnected ? state.threads : [],
    isConnected,
    problems: [
      ...(isTested
        ? []
        : [`Tests of this Beckon run Codex ${CODEX_VERSION}. Other versions work as far as their messages fit.`]),
      ...(isConnected
        ? []
        : ['No Beckon is connected to it. Start one with "beckon up", or "beckon codex" for one elsewhere.']),
    ],
  };
}

function toSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}
