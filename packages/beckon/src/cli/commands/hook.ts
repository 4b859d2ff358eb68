import type { Command } from 'commander';
import { createCommand } from '../command.ts';

/** Describes `beckon hook`. What runs is `claude/hook.ts`, which `main.ts` starts without loading any of this. */
export function createHook(): Command {
  return createCommand('hook', {
    summary: 'What Claude Code runs: hands a hook over, and prints the reply.',
    examples: [['beckon hook claude-code < hook.json', 'prints nothing where Beckon has no opinion']],
    more:
      'Options: --timeout DURATION, --chat ID, --defer. It always exits with 0. When Beckon does not run, the hook is kept in\n' +
      '$BECKON_HOME/spool and Claude Code goes on by itself. BECKON_DEBUG=1 shows what goes wrong, on stderr.',
  })
    .argument('<agent>', 'claude-code')
    .action((_agent: string, _options: unknown, command: Command) => {
      command.error('Expected the agent claude-code');
    });
}
