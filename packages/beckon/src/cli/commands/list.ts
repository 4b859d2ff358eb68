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
import { note, paint, print, printJson } from '../output.ts';
import { fitTable, formatTable, type Table } from '../table.ts';

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
/** The columns that a narrow terminal leaves out, in this order. */
const SPARE = ['ASKED', 'KIND', 'CHAT', 'FROM', 'STATUS'];
/** The widest chat and asker on a terminal. */
const CHAT_COLUMNS = 16;
const FROM_COLUMNS = 24;
/** The longest headline that other programs get. */
const PIPED_CHARS = 160;
const STYLES = { pending: 'yellow', answered: 'green', expired: 'dim', cancelled: 'dim', superseded: 'dim' } as const;

export function createList(): Command {
  return addClientOptions(
    createCommand('list', {
      summary: 'List pending requests, newest first.',
      examples: [
        ['beckon list', 'list what is pending'],
        ['beckon list --all', 'list everything'],
        ['beckon list --search "deploy prod"', 'find requests with both words, in every status'],
        ['beckon list --chat ops --kind approval --json', 'print one page as { "items": […], "next"?, "lastSeq" }'],
      ],
    })
      .option('--status <status>', `${STATUSES.join(', ')} (default: pending)`)
      .option('--all', 'every status')
      .option('--kind <kind>', KINDS.join(', '))
      .option('--chat <id>', 'only this chat')
      .option('--session <id>', 'only this session')
      .option('--search <text>', 'only requests or answers with all these words, in every status')
      .option('--limit <number>', 'items on a page, 1 to 200 (default: 50)')
      .option('--after <cursor>', 'start after this cursor, the "next" of the page before'),
  ).action(runList);
}

async function runList(options: ListOptions): Promise<void> {
  const { search, kind, chat, session, limit, after } = options;
  // A search is usually for something that ended long ago.
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
  if (page.incomplete) note('The search has not reached the newest requests yet. Search again to see more.');
  if (page.items.length === 0) return note(status === 'pending' ? 'Nothing is pending.' : 'Nothing found.');
  const { head, rows } = toTable(page.items);
  const paintCell = (cell: string, column: number, row: number): string => {
    const status = page.items[row]?.status;
    return head[column] === 'STATUS' && status !== undefined ? paint(STYLES[status], cell) : cell;
  };
  print(formatTable(head, rows, paintCell));
  if (page.next !== undefined) note(`There is more. Add --after ${page.next}`);
}

/** On a terminal every row fits on one line. Other programs get everything. */
function toTable(items: readonly Interaction[]): Table {
  const { isTTY } = process.stdout;
  // Some terminals report no size.
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
