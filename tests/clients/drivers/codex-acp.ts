import type { ClientSetup } from '../harness/driver.ts';
import { codexSetup } from './codex.ts';

/** Codex behind the Agent Client Protocol. The command `codex-acp` speaks it on stdio. */
export const codexAcpSetup: ClientSetup = {
  client: 'codex-acp',
  configure: codexSetup.configure,
  env: (lab) => ({ ...codexSetup.env?.(lab), OPENAI_API_KEY: 'dummy', CODEX_API_KEY: 'dummy' }),
  call: codexSetup.call,
};
