import type { Command } from 'commander';
import { toHeadline } from '../../presentation/headline.ts';
import { toVisibleLine } from '../../presentation/visible.ts';
import { describeAsker } from '../../presentation/who.ts';
import { type Interaction, KINDS, STATUSES } from '../../protocol/interaction.ts';
import { ListFilter } from '../../protocol/list.ts';
import { parse } from '../../protocol/parse.ts';
import { toLocalTime } from '../../terminal/describe.ts';
import { cut } from '../../terminal/text-layout.ts';
import { addClientOptions, type ClientOptions, withBeckon } from '../client.ts';
import { createCommand } from '../command.ts';
import { fitTable, type Table } from '../fit-table.ts';
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

const HEAD = ['ID', 'STATUS', 'KIND', 'CHAT', 'ASKED', 'FROM', 'WHAT'];
/** What a narrow terminal can do without, in this order. */
const SPARE = ['ASKED', 'KIND', 'CHAT', 'FROM', 'STATUS'];
/** The longest name of a conversation, and of who asks, on a terminal. */
const CHAT_COLUMNS = 16;
const FROM_COLUMNS = 24;
/** How much of what is asked other programs get. */
const PIPED_CHARS = 160;
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
      ...(limit !== undefined && { limit: /^\d+$/.test(limit) ? Number(limit) : limit }),
      ...(after !== undefined && { after }),
    },
    { what: 'filter' },
  );
  const page = await withBeckon(options, (beckon) => beckon.list(filter));
  if (options.json === true) return printJson(page);
  if (page.incomplete)
    note('Not all interactions are searched yet: newer ones may be missing. Search again to get further.');
  if (page.items.length === 0) return note(status === 'pending' ? 'Nothing waits for an answer.' : 'Nothing found.');
  const { head, rows } = toTable(page.items);
  const paintCell = (cell: string, column: number, row: number): string => {
    const status = page.items[row]?.status;
    return head[column] === 'STATUS' && status !== undefined ? paint(STYLES[status], cell) : cell;
  };
  print(formatTable(head, rows, paintCell));
  if (page.next !== undefined) note(`There is more: add --after ${page.next}`);
}

/** On a terminal every row is one line. Other programs get everything. */
function toTable(items: readonly Interaction[]): Table {
  const { isTTY } = process.stdout;
  // Some terminals have no size.
  const columns = process.stdout.columns || 80;
  const toRow = (interaction: Interaction): string[] => {
    const { id, status, kind, chatId, createdAt } = interaction;
    const fit = (text: string, most: number): string => (isTTY ? cut(text, most) : text);
    const chat = fit(toVisibleLine(chatId, undefined, 'code'), CHAT_COLUMNS);
    const from = fit(describeAsker(interaction), FROM_COLUMNS);
    const what = toHeadline(interaction, isTTY ? columns : PIPED_CHARS);
    return [id, status, kind, chat, toLocalTime(createdAt), from, what];
  };
  const table = { head: HEAD, rows: items.map(toRow) };
  return isTTY ? fitTable(table, columns, SPARE) : table;
}
