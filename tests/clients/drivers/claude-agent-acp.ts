import { toClientEnv } from '../../claude-code/harness/client-env.ts';
import type { ClientSetup } from '../harness/driver.ts';

/** Claude Code behind the Agent Client Protocol. The command `claude-agent-acp` speaks it on stdio. */
export const claudeAgentAcpSetup: ClientSetup = {
  client: 'claude-agent-acp',
  configure: () => undefined,
  env: (lab) => {
    const { PATH: _path, SHELL: _shell, ...env } = toClientEnv(lab.modelUrl());
    return env;
  },
  call: (command) => ({ tool: 'Bash', input: { command, description: 'The test wants it' } }),
};
