import type { Command } from 'commander';
import { BeckonError } from '../../protocol/errors.ts';
import type { AgentClient, FileChange } from '../agents/agent-client.ts';
import { findProblems, toAgentJson, toAgentList } from '../agents/agent-list.ts';
import { type AppliedChanges, applyInstall, applyUninstall, type ChangeOptions } from '../agents/apply-changes.ts';
import { AGENT_CLIENTS, chooseAgents, inspectAgents } from '../agents/registry.ts';
import { createCommand, createGroup } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { note, print, printJson } from '../output.ts';

/** What is to be changed for one agent. */
interface Plan {
  client: AgentClient;
  changes: FileChange[];
}

const EXIT_CODES =
  'Exit codes: 0 done, or nothing to do; 1 an agent was left out, and it says why; 2 a name or a file is wrong,\n' +
  'nothing was changed; 5 you said no.';

const NAMES = 'agents; default: all of them';

export function createAgents(): Command {
  const agents = createGroup('agents', {
    summary: 'List the coding agents on this machine, and connect them to Beckon.',
    examples: [
      ['beckon agents', 'which agents are here, and what works there'],
      ['beckon agents install', 'connect all of them; shows each change first'],
      ['beckon agents install codex opencode', 'connect these'],
      ['beckon agents uninstall', 'remove exactly what install added'],
    ],
    more: `Agents: ${AGENT_CLIENTS.map(({ name }) => name).join(', ')}`,
  });
  agents.addCommand(createList(), { isDefault: true });
  agents.addCommand(createInstall());
  agents.addCommand(createUninstall());
  return agents;
}

function createList(): Command {
  return createCommand('list', {
    summary: 'Show which agents are on this machine, whether they are connected, and what works there.',
    examples: [
      ['beckon agents list --json', '{ "agents": [{ "name", "version", "tested", "isConnected", "problems", … }] }'],
    ],
    more: 'Exit codes: 0 listed, 2 a name is wrong.',
  })
    .argument('[names...]', 'only these agents')
    .option('--json', 'print JSON')
    .action(runList);
}

function createInstall(): Command {
  return addChangeOptions(
    createCommand('install', {
      summary: 'Connect agents to Beckon. Shows each change, and asks once. Existing settings stay.',
      examples: [
        ['beckon agents install --dry-run', 'show the changes without making them'],
        ['beckon agents install codex --yes', 'connect Codex without asking'],
      ],
      more: `Without names: every agent on this machine.\n${EXIT_CODES}`,
    }),
  )
    .argument('[names...]', NAMES)
    .action(runInstall);
}

function createUninstall(): Command {
  return addChangeOptions(
    createCommand('uninstall', {
      summary: 'Remove Beckon, and nothing else, from the settings of agents.',
      examples: [['beckon agents uninstall opencode', 'only from these']],
      more:
        'Files that nobody changed since "install" become exactly what they were. In others, what Beckon added goes.\n' +
        EXIT_CODES,
    }),
  )
    .argument('[names...]', NAMES)
    .action(runUninstall);
}

/** The options of `ChangeOptions`. */
export function addChangeOptions(command: Command): Command {
  return command
    .option('--dry-run', 'show the changes without making them')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print JSON');
}

/** Lists these agents, or all. */
export async function runList(names: readonly string[], { json = false }: { json?: boolean }): Promise<void> {
  const all = await inspectAgents(chooseAgents(names));
  const inspected = all.filter(
    ({ client, report: found }) => names.length > 0 || client.isOptional !== true || found.isConnected,
  );
  if (json) return printJson({ agents: inspected.map(toAgentJson) });
  const isHere = ({ report }: (typeof inspected)[number]): boolean => report.program !== null || report.isConnected;
  const here = inspected.filter((one) => isHere(one) || names.length > 0);
  if (here.length > 0) print(toAgentList(here, process.stdout.columns || 80));
  const missing = inspected.filter((one) => !isHere(one)).map(({ client }) => client.title);
  if (missing.length > 0) note(`Not on your PATH: ${missing.join(', ')}.`);
}

/** Connects these agents, or all that are here. */
export async function runInstall(names: readonly string[], options: ChangeOptions): Promise<void> {
  const chosen = await chooseForInstall(names);
  const { plans, isComplete } = await makePlans(chosen, (client) => client.planInstall());
  const ours = await findOurs(plans);
  const applied = await applyInstall(toChanges(plans), options, (path) => ours.has(path));
  report(applied, options);
  if (!isComplete) process.exitCode ||= EXIT.failed;
  const isDone = applied.outcome === 'made' || applied.outcome === 'none';
  const remarks = isDone ? await finishAll(plans) : [];
  const inspected = isDone ? await inspectAgents(plans.map(({ client }) => client)) : [];
  if (options.json === true) {
    return printJson({ ...toAppliedJson(applied, options), remarks, agents: inspected.map(toAgentJson) });
  }
  for (const text of remarks) print(text);
  for (const { client, report: found } of inspected) {
    print(`${client.title}: ${found.isConnected ? 'connected' : 'not connected'}, ${found.how}`);
    for (const problem of findProblems(client, found)) note(`${client.title}: ${problem}`);
  }
}

/** Removes Beckon from these agents, or from all. */
export async function runUninstall(names: readonly string[], options: ChangeOptions): Promise<void> {
  const { plans, isComplete } = await makePlans(chooseAgents(names), (client) => client.planUninstall());
  const applied = await applyUninstall(toChanges(plans), options);
  if (!isComplete) process.exitCode ||= EXIT.failed;
  if (options.json === true) return printJson(toAppliedJson(applied, options));
  if (applied.outcome === 'none' && plans.length > 0) {
    const titles = plans.map(({ client }) => client.title).join(', ');
    return print(`There is nothing of Beckon’s in the settings of ${titles}.`);
  }
  report(applied, options);
}

/** Those with a program here, or those that are named, even if their program is not on the PATH. */
async function chooseForInstall(names: readonly string[]): Promise<readonly AgentClient[]> {
  const chosen = chooseAgents(names);
  if (names.length > 0) return chosen;
  const here = (await inspectAgents(chosen)).filter(
    ({ client, report: found }) => found.program !== null && client.isOptional !== true,
  );
  if (here.length > 0) return here.map(({ client }) => client);
  throw new BeckonError(
    'invalid_input',
    `None of the agents is on your PATH. Name those to connect anyway: ${chosen.map(({ name }) => name).join(', ')}`,
  );
}

/** An agent whose files are not ours to repair is named and left out. */
async function makePlans(
  clients: readonly AgentClient[],
  plan: (client: AgentClient) => Promise<FileChange[]>,
): Promise<{ plans: Plan[]; isComplete: boolean }> {
  const plans: Plan[] = [];
  for (const client of clients) {
    try {
      plans.push({ client, changes: await plan(client) });
    } catch (error) {
      if (!(error instanceof BeckonError)) throw error;
      note(`${client.title} was left out: ${error.message}`);
    }
  }
  return { plans, isComplete: plans.length === clients.length };
}

/** The files that have something of Beckon's already. */
async function findOurs(plans: readonly Plan[]): Promise<ReadonlySet<string>> {
  const changed = plans.filter(({ changes }) => changes.length > 0);
  const removals = await Promise.all(changed.map(({ client }) => client.planUninstall()));
  return new Set(removals.flat().map(({ path }) => path));
}

/** What connecting takes besides files. One that fails does not hold up the others. */
async function finishAll(plans: readonly Plan[]): Promise<string[]> {
  const remarks: string[] = [];
  for (const { client } of plans) {
    try {
      remarks.push(...((await client.finishInstall?.()) ?? []));
    } catch (error) {
      if (!(error instanceof BeckonError)) throw error;
      note(`${client.title}: ${error.message}`);
      process.exitCode = EXIT.failed;
    }
  }
  return [...new Set(remarks)];
}

function toChanges(plans: readonly Plan[]): FileChange[] {
  return plans.flatMap(({ changes }) => changes);
}

function report({ outcome, changes }: AppliedChanges, { json = false }: ChangeOptions): void {
  if (json) return;
  if (outcome === 'none') print('Nothing to change.');
  if (outcome !== 'made') return;
  for (const { path, isRemoved, backup } of changes) {
    print(
      `${isRemoved ? 'Removed' : 'Changed'} ${path}.${backup === undefined ? '' : ` The previous version is in ${backup}.`}`,
    );
  }
}

function toAppliedJson({ outcome, changes }: AppliedChanges, { dryRun = false }: ChangeOptions): object {
  const files = changes.map(({ path, isRemoved, backup, diff }) => ({
    path,
    ...(isRemoved && { removed: true }),
    ...(backup !== undefined && { backup }),
    ...(dryRun && { diff }),
  }));
  return { changed: outcome === 'made', ...(dryRun && { wouldChange: changes.length > 0 }), files };
}
