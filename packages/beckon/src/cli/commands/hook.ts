import type { Command } from 'commander';
import { createCommand } from '../command.ts';

/** Describes `beckon hook`. What runs is `claude/hook.ts`, which `main.ts` starts without loading any of this. */
export function createHook(): Command {
  return createCommand('hook', {
    summary: 'Hand a hook of Claude Code to Beckon and print the reply. Claude Code runs this.',
    examples: [['beckon hook claude-code < hook.json', 'print nothing if Beckon leaves the decision to Claude Code']],
    more:
      'Options: --timeout DURATION, --chat ID, --defer, --profile NAME, --url URL. The exit code is always 0. If Beckon is not\n' +
      'running, the hook waits in $BECKON_HOME/spool, and Claude Code goes on by itself. BECKON_DEBUG=1 writes errors to stderr.',
  })
    .argument('<agent>', 'claude-code')
    .action((_agent: string, _options: unknown, command: Command) => {
      command.error('Expected the agent claude-code');
    });
}
