import type { Command } from 'commander';
import type { Beckon } from '../../core/beckon.ts';
import { listAll } from '../../core/list-all.ts';
import { toHeadline } from '../../presentation/headline.ts';
import { toVisibleLine } from '../../presentation/visible.ts';
import { describeAsker } from '../../presentation/who.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { type Interaction, KINDS, STATUSES } from '../../protocol/interaction.ts';
import { type InteractionPage, ListFilter } from '../../protocol/list.ts';
import { parse } from '../../protocol/parse.ts';
import { RISK_LEVELS, type RiskLevel } from '../../protocol/risk.ts';
import { assessRisk } from '../../risk/assess-risk.ts';
import { withRisk } from '../../risk/with-risk.ts';
import { toLocalTime } from '../../terminal/describe.ts';
import { toRiskStyles } from '../../terminal/risk-text.ts';
import { cut } from '../../terminal/text-layout.ts';
import { addClientOptions, type ClientOptions, withBeckon } from '../client.ts';
import { createCommand } from '../command.ts';
import { note, paint, paintAll, print, printJson } from '../output.ts';
import { toRiskCell } from '../risk-cell.ts';
import { fitTable, formatTable, type Table, withoutEmpty } from '../table.ts';

interface ListOptions extends ClientOptions {
  status?: string;
  all?: boolean;
  kind?: string;
  chat?: string;
  session?: string;
  search?: string;
  limit?: string;
  after?: string;
  risk?: string;
}

const HEAD = ['ID', 'STATUS', 'KIND', 'RISK', 'CHAT', 'ASKED', 'FROM', 'WHAT'];
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
        ['beckon list --risk dangerous', 'list what needs most care'],
        ['beckon list --chat ops --kind approval --json', 'print one page as { "items": […], "next"?, "lastSeq" }'],
      ],
    })
      .option('--status <status>', `${STATUSES.join(', ')} (default: pending)`)
      .option('--all', 'every status')
      .option('--kind <kind>', KINDS.join(', '))
      .option('--chat <id>', 'only this chat')
      .option('--session <id>', 'only this session')
      .option('--search <text>', 'only requests or answers with all these words, in every status')
      .option('--risk <level>', `${RISK_LEVELS.join(', ')}: every approval with this risk, without pages`)
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
  const level = options.risk === undefined ? null : parseRisk(options.risk, { limit, after });
  const page = await withBeckon(options, (beckon) =>
    level === null ? beckon.list(filter) : listByRisk(beckon, filter, level),
  );
  if (options.json === true) return printJson({ ...page, items: page.items.map(withRisk) });
  if (page.incomplete) note('The search has not reached the newest requests yet. Search again to see more.');
  if (page.items.length === 0) return note(status === 'pending' ? 'Nothing is pending.' : 'Nothing found.');
  const { head, rows } = toTable(page.items);
  const paintCell = (cell: string, column: number, row: number): string => {
    const interaction = page.items[row];
    if (interaction === undefined) return cell;
    if (head[column] === 'RISK') return paintAll(cell, ...toRiskStyles(assessRisk(interaction).level));
    return head[column] === 'STATUS' ? paint(STYLES[interaction.status], cell) : cell;
  };
  print(formatTable(head, rows, paintCell));
  if (page.next !== undefined) note(`There is more. Add --after ${page.next}`);
}

/** The risk is not stored, so every request that may have it is looked at. */
async function listByRisk(beckon: Beckon, filter: ListFilter, level: RiskLevel): Promise<InteractionPage> {
  const items: Interaction[] = [];
  const { lastSeq } = await beckon.list({ limit: 1 });
  for await (const page of listAll((one) => beckon.list(one), { ...filter, kind: 'approval' })) {
    items.push(...page.filter((interaction) => assessRisk(interaction).level === level));
  }
  return { items, lastSeq };
}

function parseRisk(
  text: string,
  { limit, after }: { limit: string | undefined; after: string | undefined },
): RiskLevel {
  const level = RISK_LEVELS.find((known) => known === text);
  if (level === undefined) {
    throw new BeckonError(
      'invalid_input',
      `--risk: expected one of ${RISK_LEVELS.join(', ')}, got ${JSON.stringify(text)}.`,
    );
  }
  if (limit !== undefined || after !== undefined) {
    throw new BeckonError('invalid_input', '--risk lists everything: leave out --limit and --after.');
  }
  return level;
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
    return [id, status, kind, toRiskCell(interaction), chat, toLocalTime(createdAt), from, what];
  };
  const table = withoutEmpty({ head: HEAD, rows: items.map(toRow) }, 'RISK');
  return isTTY ? fitTable(table, columns, SPARE) : table;
}
