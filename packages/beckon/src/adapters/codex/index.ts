export { connectAppServer, listLoadedThreads } from './app-server.ts';
export { CodexConnector, type CodexState } from './codex-connector.ts';
export { CODEX_VERSION } from './codex-types.ts';
export { findSocket, toCodexHome } from './find-socket.ts';
export type { Asker } from './pending-requests.ts';
