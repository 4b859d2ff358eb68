import type { Command } from 'commander';
import type { RunOptions } from '../acp/run-agent.ts';
import type { AcpCommandOptions } from '../acp/run-proxy.ts';
import { addAddressOptions, addClientOptions } from '../client.ts';
import { collect, createCommand } from '../command.ts';

export function createAcp(): Command {
  const acp = createCommand('acp', {
    summary: 'Run an ACP agent for your editor, and ask people in Beckon as well. The first answer wins.',
    examples: [
      ['beckon acp -- gemini --acp', 'put this into your editor’s settings instead of: gemini --acp'],
      ['beckon acp --profile team -- qwen --acp', 'ask at a Beckon that you are logged in to'],
      ['beckon acp run -- opencode acp "Fix the tests"', 'without an editor: people decide in Beckon'],
    ],
    more:
      'Every message between editor and agent goes through as it is. If Beckon is not running, nothing changes for them. The\n' +
      'exit code is that of the agent. See docs/acp.md.',
  })
    .usage('[options] -- COMMAND…')
    .argument('<command...>', 'the agent’s command');
  return addAskOptions(addAddressOptions(acp))
    .addCommand(createRun())
    .action(async (command: string[], options: AcpCommandOptions) => {
      const { runProxy } = await import('../acp/run-proxy.ts');
      await runProxy(command, options);
    });
}

function createRun(): Command {
  const run = createCommand('run', {
    summary:
      'Give an ACP agent one prompt, without an editor. Approvals, plans, questions and forms are in your inbox.',
    examples: [
      ['beckon acp run -- gemini --acp "Fix the tests"', 'print what the agent says'],
      ['beckon acp run --mode plan -- qwen --acp "Plan it"', 'in a mode of the agent'],
      ['beckon acp run --json -- opencode acp "Fix the tests"', 'print what happens, one JSON document a line'],
      ['beckon acp run --set collaboration_mode=plan -- codex-acp "Plan it"', 'with a setting of the agent'],
    ],
    more:
      'What the agent says goes to stdout, its tool calls to stderr. What nobody answers in time is refused. Ctrl-C cancels the\n' +
      'turn. Exit codes: 0 the agent finished, 1 it failed, 2 usage error, 3 it refused, 4 it reached a limit, 5 cancelled,\n' +
      '6 Beckon not reachable.',
  })
    .usage('[options] -- COMMAND… PROMPT')
    .argument('<command...>', 'the agent’s command, then the prompt')
    .option('--cwd <folder>', 'the folder in which the agent works (default: this one)')
    .option('--mode <id>', 'a mode of the agent, such as plan')
    .option('--set <id=value>', 'a setting of the agent; repeatable', collect);
  return addAskOptions(addClientOptions(run)).action(async (words: string[], _: unknown, command: Command) => {
    const { runAgent } = await import('../acp/run-agent.ts');
    await runAgent(words, command.optsWithGlobals<RunOptions>());
  });
}

function addAskOptions(command: Command): Command {
  return command
    .option('--chat <id>', 'the chat to ask in (default: "default")')
    .option('--timeout <duration>', 'how long people have: seconds, 30s, 10m, 12h, never (default: 300 seconds)');
}
