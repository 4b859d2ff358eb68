import type { Command } from 'commander';
import type { AgentClient } from '../agents/agent-client.ts';
import { opencode } from '../agents/opencode.ts';
import { pi } from '../agents/pi.ts';
import { createCommand, createGroup } from '../command.ts';
import { addChangeOptions, runInstall, runList, runUninstall } from './agents.ts';

export function createOpencode(): Command {
  return createOneAgent(opencode, 'Send permissions and questions of opencode to Beckon.');
}

export function createPi(): Command {
  return createOneAgent(pi, 'Let pi ask in Beckon before it acts.');
}

/** What `beckon agents` does, for one agent. */
function createOneAgent({ name, title }: AgentClient, summary: string): Command {
  const group = createGroup(name, {
    summary,
    examples: [
      [`beckon ${name} install`, 'connect it; shows the changes first'],
      [`beckon ${name} status`, 'show whether it is connected'],
      [`beckon ${name} uninstall`, 'remove exactly what install added'],
    ],
  });
  const install = createCommand('install', { summary: `Connect ${title} to Beckon.`, examples: [] });
  const uninstall = createCommand('uninstall', {
    summary: `Remove Beckon, and nothing else, from ${title}.`,
    examples: [],
  });
  const status = createCommand('status', { summary: `Show whether ${title} is connected.`, examples: [] });
  group.addCommand(addChangeOptions(install).action((options) => runInstall([name], options)));
  group.addCommand(addChangeOptions(uninstall).action((options) => runUninstall([name], options)));
  group.addCommand(status.option('--json', 'print JSON').action((options) => runList([name], options)));
  return group;
}
