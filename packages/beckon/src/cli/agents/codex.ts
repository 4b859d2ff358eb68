import { CODEX_VERSION } from '../../adapters/codex/index.ts';
import { inspectCodex } from '../codex/inspect-codex.ts';
import type { AgentClient } from './agent-client.ts';
import { findProgram } from './find-program.ts';

/** Codex, by its shared app server. Beckon connects to it by itself, so there is nothing to install. */
export const codex: AgentClient = {
  name: 'codex',
  title: 'Codex',
  tested: CODEX_VERSION,
  kinds: { approval: 'yes', question: 'in plan mode', plan_review: 'no', form: 'yes' },
  inspect: async () => {
    const [found, server] = await Promise.all([findProgram('codex'), inspectCodex()]);
    const sessions = server.attached.length === 1 ? '1 session' : `${server.attached.length} sessions`;
    return {
      program: found.program,
      version: server.version ?? found.version,
      isConnected: server.isConnected,
      how: server.isConnected ? `its app server, ${sessions}` : 'its app server, by itself while Beckon runs',
      problems: [...found.problems, ...(found.program === null ? [] : server.problems)],
    };
  },
  planInstall: () => Promise.resolve([]),
  planUninstall: () => Promise.resolve([]),
};
