import type { Command } from 'commander';
import { HOOK_AGENTS } from '../../adapters/hooks/hook-dialect.ts';
import { createCommand } from '../command.ts';

/** Describes `beckon hook`. What runs is `hook/hook.ts`, which `main.ts` starts without loading any of this. */
export function createHook(): Command {
  return createCommand('hook', {
    summary: 'Hand a hook of an agent to Beckon and print the reply. The agent runs this.',
    examples: [
      ['beckon hook claude-code < hook.json', 'print nothing if Beckon leaves the decision to Claude Code'],
      ['beckon hook copilot --event postToolUse < hook.json', 'name the event of a hook that does not say it'],
    ],
    more:
      'Options: --timeout DURATION, --chat ID, --defer, --event NAME, --profile NAME, --url URL. The exit code is always 0. If\n' +
      'Beckon is not running, the hook waits in $BECKON_HOME/spool, and the agent goes on by itself. BECKON_DEBUG=1 writes errors\n' +
      'to stderr.',
  })
    .argument('<agent>', HOOK_AGENTS.join(', '))
    .action((_agent: string, _options: unknown, command: Command) => {
      command.error(`Expected one of the agents ${HOOK_AGENTS.join(', ')}`);
    });
}
