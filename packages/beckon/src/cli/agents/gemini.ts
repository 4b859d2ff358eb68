import type { AgentClient } from './agent-client.ts';
import { findProgram } from './find-program.ts';

/** Gemini CLI. Its hooks can only deny, so its requests reach Beckon through the Agent Client Protocol alone. */
export const gemini: AgentClient = {
  name: 'gemini',
  title: 'Gemini CLI',
  tested: '0.61.0',
  kinds: { approval: 'with "beckon acp"', question: 'no', plan_review: 'no', form: 'no' },
  inspect: async () => {
    // Each "gemini --version" leaves two files in ~/.gemini.
    const found = await findProgram('gemini', { isMessy: true });
    const problem = 'Its hooks cannot allow anything. In an editor, start it with: beckon acp -- gemini --acp';
    return { ...found, isConnected: false, how: 'nothing to install', problems: [...found.problems, problem] };
  },
  planInstall: () => Promise.resolve([]),
  planUninstall: () => Promise.resolve([]),
};
