import type { Command } from 'commander';
import { summarise, toLocalTime } from '../../connectors/terminal/describe.ts';
import { type Interaction, KINDS, STATUSES } from '../../protocol/interaction.ts';
import { ListFilter } from '../../protocol/list.ts';
import { parse } from '../../protocol/parse.ts';
import { addClientOptions, type ClientOptions, withBeckon } from '../client.ts';
import { createCommand } from '../command.ts';
import { formatTable, note, paint, print, printJson } from '../output.ts';

interface ListOptions extends ClientOptions {
  status?: string;
  all?: boolean;
  kind?: string;
  chat?: string;
  session?: string;
  search?: string;
  limit?: string;
  after?: string;
}

const HEAD = ['ID', 'STATUS', 'KIND', 'CHAT', 'ASKED', 'WHAT'];
const STYLES = { pending: 'yellow', answered: 'green', expired: 'dim', cancelled: 'dim', superseded: 'dim' } as const;

export function createList(): Command {
  return addClientOptions(
    createCommand('list', {
      summary: 'List what waits for an answer, newest first.',
      examples: [
        ['beckon list', 'what is pending'],
        ['beckon list --all', 'everything, also what is settled'],
        ['beckon list --search "deploy prod"', 'whatever has both words, also what is settled'],
        ['beckon list --chat ops --kind approval --json', 'one page as JSON: { "items": […], "next"?, "lastSeq" }'],
      ],
    })
      .option('--status <status>', `${STATUSES.join(', ')} (default: pending)`)
      .option('--all', 'every status')
      .option('--kind <kind>', KINDS.join(', '))
      .option('--chat <id>', 'of one conversation')
      .option('--session <id>', 'of one run of an agent')
      .option('--search <text>', 'with all of these words in what was asked or answered; every status')
      .option('--limit <number>', 'items in the page, 1 to 200 (default: 50)')
      .option('--after <cursor>', 'the page after this one, from "next"'),
  ).action(runList);
}

async function runList(options: ListOptions): Promise<void> {
  const { search, kind, chat, session, limit, after } = options;
  // Who searches looks for something that may be long over.
  const isAll = options.all === true || search !== undefined;
  const { status = isAll ? undefined : 'pending' } = options;
  const filter = parse(
    ListFilter,
    {
      ...(status !== undefined && { status }),
      ...(kind !== undefined && { kind }),
      ...(chat !== undefined && { chatId: chat }),
      ...(session !== undefined && { sessionId: session }),
      ...(search !== undefined && { text: search }),
      ...(limit !== undefined && { limit: Number(limit) }),
      ...(after !== undefined && { after }),
    },
    { what: 'filter' },
  );
  const page = await withBeckon(options, (beckon) => beckon.list(filter));
  if (options.json === true) return printJson(page);
  if (page.items.length === 0) return note(status === 'pending' ? 'Nothing waits for an answer.' : 'Nothing found.');
  print(formatTable(HEAD, page.items.map(toRow), (cell, column, row) => paintCell(cell, column, page.items[row])));
  if (page.next !== undefined) note(`There is more: add --after ${page.next}`);
}

function toRow(interaction: Interaction): string[] {
  const { id, status, kind, chatId, createdAt } = interaction;
  const shown = [id, status, kind, chatId, toLocalTime(createdAt)];
  const used = shown.reduce((sum, cell) => sum + Math.max(cell.length, 8) + 2, 0);
  return [...shown, summarise(interaction, Math.max(30, (process.stdout.columns ?? 160) - used - 6))];
}

function paintCell(cell: string, column: number, interaction: Interaction | undefined): string {
  return HEAD[column] === 'STATUS' && interaction !== undefined ? paint(STYLES[interaction.status], cell) : cell;
}
