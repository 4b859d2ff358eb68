import type { ClientSetup } from '../harness/driver.ts';
import { onTerminal } from '../harness/on-terminal.ts';

/** Codex with plain tools. `-m gpt-6-astra` among the arguments gives it code mode: one tool `exec`. */
export const codexSetup: ClientSetup = {
  client: 'codex',
  configure: (lab) =>
    lab.write(
      '.codex/config.toml',
      `model = "gpt-5.5"
model_provider = "fake"
check_for_update_on_startup = false
[model_providers.fake]
name = "fake"
base_url = "${lab.modelUrl('/v1')}"
wire_api = "responses"
env_key = "FAKE_KEY"
request_max_retries = 0
stream_max_retries = 0
[analytics]
enabled = false
[notice.model_migrations]
"gpt-5.5" = "gpt-6-sol"
${lab.projects.map((project) => `[projects."${project}"]\ntrust_level = "trusted"\n`).join('')}`,
    ),
  env: (lab) => ({ CODEX_HOME: `${lab.home}/.codex`, FAKE_KEY: 'dummy', RUST_LOG: 'error' }),
  attended: onTerminal({
    command: (prompt, args) => ['codex', '-a', 'on-request', '-s', 'workspace-write', ...args, prompt],
    dialog: /Would you like to run the following command/,
    allow: ['y'],
    deny: ['Escape'],
    moving: /esc to interrupt/,
  }),
  call: (cmd) => ({
    tool: 'exec_command',
    input: { cmd, sandbox_permissions: 'require_escalated', justification: 'The test wants it' },
  }),
};
