import stringWidth from 'fast-string-width';
import { KIND_NAMES } from '../../presentation/names.ts';
import { toVisibleLine } from '../../presentation/visible.ts';
import { KINDS, type Kind } from '../../protocol/interaction.ts';
import { paint } from '../output.ts';
import { formatTable } from '../table.ts';
import type { AgentClient, AgentReport } from './agent-client.ts';
import { compareVersions } from './find-program.ts';
import type { InspectedAgent } from './registry.ts';

/** What a script gets to know about one agent. */
export function toAgentJson({ client, report }: InspectedAgent): object {
  const { name, title, kinds, tested } = client;
  return { name, title, tested, ...report, problems: findProblems(client, report), kinds };
}

/** A table of agents and what works there, then a line for each; a paragraph for each if that is too wide. */
export function toAgentList(agents: readonly InspectedAgent[], columns: number): string {
  const kinds = KINDS.filter((kind) => agents.some(({ client }) => client.kinds[kind] !== undefined));
  const head = ['AGENT', 'VERSION', 'CONNECTED', ...kinds.map((kind) => KIND_NAMES[kind].toUpperCase())];
  const rows = agents.map(({ client, report }) => [
    client.title,
    report.version ?? 'unknown',
    report.isConnected ? 'yes' : 'no',
    ...kinds.map((kind) => client.kinds[kind] ?? 'no'),
  ]);
  const paintCell = (cell: string, column: number): string =>
    head[column] === 'CONNECTED' ? paint(cell === 'yes' ? 'green' : 'yellow', cell) : cell;
  const table = formatTable(head, rows, paintCell).split('\n');
  const isNarrow = table.some((line) => stringWidth(line) > columns);
  const paragraphs = agents.flatMap((agent) => [
    `${paint('bold', agent.client.title)}: ${toVisibleLine(toState(agent, isNarrow))}`,
    ...(isNarrow ? kinds.map((kind) => `  ${toKindLine(agent.client, kind)}`) : []),
    ...findProblems(agent.client, agent.report).map((problem) => `  ${toVisibleLine(problem)}`),
  ]);
  return [...(isNarrow ? [] : [...table, '']), ...paragraphs].join('\n');
}

/** What is missing or wrong, each with the next step. */
export function findProblems({ tested }: AgentClient, report: AgentReport): string[] {
  const { version, problems } = report;
  const found = [...problems];
  const compared = version === null ? 'same' : compareVersions(version, tested);
  if (compared === 'older') {
    found.push(
      `Version ${version} is older than ${tested}, which Beckon is tested with. If something fails, update it.`,
    );
  } else if (compared !== 'same') {
    const how = compared === 'newer' ? 'newer than' : 'not';
    found.push(
      `Version ${version} is ${how} ${tested}, which Beckon is tested with. If something fails, update Beckon.`,
    );
  }
  return found;
}

function toState({ report }: InspectedAgent, isNarrow: boolean): string {
  const { version, isConnected, how } = report;
  const state = `${isConnected ? 'connected' : 'not connected'}, ${how}`;
  return isNarrow ? `${version ?? 'unknown version'}, ${state}` : state;
}

function toKindLine({ kinds }: AgentClient, kind: Kind): string {
  return `${KIND_NAMES[kind]}: ${kinds[kind] ?? 'no'}`;
}
