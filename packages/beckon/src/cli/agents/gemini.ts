import type { AgentClient } from './agent-client.ts';
import { findProgram } from './find-program.ts';

/** Gemini CLI. Its hooks can only deny, so its requests reach Beckon through the Agent Client Protocol alone. */
export const gemini: AgentClient = {
  name: 'gemini',
  title: 'Gemini CLI',
  tested: '0.61.0',
  kinds: { approval: 'with "beckon acp"', question: 'no', plan_review: 'no', form: 'no' },
  inspect: async () => ({
    ...(await findProgram('gemini')),
    isConnected: false,
    how: 'only where it is started with: beckon acp -- gemini --acp (its hooks cannot allow anything)',
  }),
  planInstall: () => Promise.resolve([]),
  planUninstall: () => Promise.resolve([]),
};
