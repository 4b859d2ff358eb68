import { once } from 'node:events';
import type { Command } from 'commander';
import { type AllFilter, listAll } from '../../core/list-all.ts';
import { toHeadline } from '../../presentation/headline.ts';
import { HISTORY_CSV_HEAD, toHistoryCsvLine } from '../../presentation/history-csv.ts';
import { toVisibleLine } from '../../presentation/visible.ts';
import { nameAnswerer } from '../../presentation/who.ts';
import { DECISIONS, type Decision, toDecision } from '../../protocol/decision.ts';
import { Duration, toMilliseconds } from '../../protocol/duration.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { type Interaction, KINDS } from '../../protocol/interaction.ts';
import { type InteractionPage, ListFilter } from '../../protocol/list.ts';
import { parse } from '../../protocol/parse.ts';
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

interface HistoryOptions extends ClientOptions {
  decision?: string;
  person?: string;
  project?: string;
  since?: string;
  until?: string;
  kind?: string;
  chat?: string;
  session?: string;
  search?: string;
  limit?: string;
  after?: string;
  csv?: boolean;
  jsonl?: boolean;
}

const HEAD = ['ID', 'DECISION', 'RISK', 'BY', 'PROJECT', 'ASKED', 'WHAT'];
/** The columns that a narrow terminal leaves out, in this order. */
const SPARE = ['ASKED', 'PROJECT', 'BY', 'RISK', 'ID'];
/** The widest person and project on a terminal. */
const NAME_COLUMNS = 20;
/** The longest headline that other programs get. */
const PIPED_CHARS = 160;
const STYLES: Partial<Record<Decision, 'green' | 'red' | 'yellow'>> = {
  allowed: 'green',
  accepted: 'green',
  answered: 'green',
  denied: 'red',
  sent_back: 'red',
  pending: 'yellow',
};

export function createHistory(): Command {
  return addClientOptions(
    createCommand('history', {
      summary: 'Look back at requests and what became of them, newest first.',
      examples: [
        ['beckon history', 'list the newest 50'],
        ['beckon history --decision denied --since 7d', 'list what was denied in the last week'],
        ['beckon history --person ada --project webshop', 'list what Ada decided there'],
        ['beckon history --since 2026-01-01 --csv > history.csv', 'write everything since then as a spreadsheet'],
        ['beckon history --jsonl | jq .answer', 'write everything, one JSON document per line'],
      ],
    })
      .option('--decision <decision>', DECISIONS.join(', '))
      .option('--person <name>', 'only what this person answered')
      .option('--project <name>', 'only this project')
      .option('--since <time>', 'asked from this time on: 2026-01-31, 2026-01-31T12:00:00Z, or 7d for seven days ago')
      .option('--until <time>', 'asked before this time')
      .option('--kind <kind>', KINDS.join(', '))
      .option('--chat <id>', 'only this chat')
      .option('--session <id>', 'only this session')
      .option('--search <text>', 'only requests or answers with all these words')
      .option('--limit <number>', 'items on a page, 1 to 200 (default: 50)')
      .option('--after <cursor>', 'start after this cursor, the "next" of the page before')
      .option('--csv', 'print everything as CSV')
      .option('--jsonl', 'print everything as JSON lines'),
  ).action(runHistory);
}

async function runHistory(options: HistoryOptions): Promise<void> {
  const { limit, after, csv, jsonl, json } = options;
  if ([csv, jsonl, json].filter((flag) => flag === true).length > 1) {
    throw new BeckonError('invalid_input', 'Expected one of --json, --csv and --jsonl.');
  }
  const isExport = csv === true || jsonl === true;
  if (isExport && (limit !== undefined || after !== undefined)) {
    throw new BeckonError('invalid_input', '--csv and --jsonl print everything: leave out --limit and --after.');
  }
  const filter = toFilter(options);
  await withBeckon(options, async (beckon) => {
    if (!isExport) return show(await beckon.list(filter), json === true);
    const { limit: _, after: __, ...all } = filter;
    await printAll((page) => beckon.list(page), all, csv === true);
  });
}

function toFilter(options: HistoryOptions): ListFilter {
  const { decision, person, project, since, until, kind, chat, session, search, limit, after } = options;
  const given = {
    decision,
    person,
    project,
    since: since === undefined ? undefined : toInstant(since),
    until: until === undefined ? undefined : toInstant(until),
    kind,
    chatId: chat,
    sessionId: session,
    text: search,
    limit: limit !== undefined && /^\d+$/.test(limit) ? Number(limit) : limit,
    after,
  };
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return parse(ListFilter, set, { what: 'filter' });
}

/** A time, or how long ago. What is neither is left to the filter to refuse. */
function toInstant(text: string): string {
  const isAgo = /^\d+(?:\.\d+)? ?[a-z]+$/.test(text);
  return isAgo ? new Date(Date.now() - toMilliseconds(parse(Duration, text, { what: 'time' }))).toISOString() : text;
}

/** Writes page by page, at the pace of the reader. */
async function printAll(
  list: (filter: ListFilter) => Promise<InteractionPage>,
  filter: AllFilter,
  isCsv: boolean,
): Promise<void> {
  if (isCsv) await write(HISTORY_CSV_HEAD);
  const toText = isCsv ? toHistoryCsvLine : (item: object): string => `${JSON.stringify(item)}\n`;
  for await (const items of listAll(list, filter)) await write(items.map((item) => toText(withRisk(item))).join(''));
}

async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

function show(page: InteractionPage, isJson: boolean): void {
  if (isJson) return printJson({ ...page, items: page.items.map(withRisk) });
  if (page.incomplete) note('The newest requests are still being indexed. Run it again to see more.');
  if (page.items.length === 0) return note('Nothing found.');
  const { head, rows } = toTable(page.items);
  const paintCell = (cell: string, column: number, row: number): string => {
    const interaction = page.items[row];
    if (interaction !== undefined && head[column] === 'RISK')
      return paintAll(cell, ...toRiskStyles(assessRisk(interaction).level));
    const style = interaction === undefined ? undefined : STYLES[toDecision(interaction)];
    return head[column] === 'DECISION' && style !== undefined ? paint(style, cell) : cell;
  };
  print(formatTable(head, rows, paintCell));
  if (page.next !== undefined) note(`There is more. Add --after ${page.next}`);
}

/** On a terminal every row fits on one line. Other programs get everything. */
function toTable(items: readonly Interaction[]): Table {
  const { isTTY } = process.stdout;
  // Some terminals report no size.
  const columns = process.stdout.columns || 80;
  const fit = (text: string): string => (isTTY ? cut(text, NAME_COLUMNS) : text);
  const toRow = (interaction: Interaction): string[] => [
    interaction.id,
    toDecision(interaction),
    toRiskCell(interaction),
    fit(toVisibleLine(interaction.answeredBy ? nameAnswerer(interaction.answeredBy) : '', undefined, 'code')),
    fit(toVisibleLine(interaction.context?.project ?? '', undefined, 'code')),
    toLocalTime(interaction.createdAt),
    toHeadline(interaction, isTTY ? columns : PIPED_CHARS),
  ];
  const table = withoutEmpty({ head: HEAD, rows: items.map(toRow) }, 'RISK');
  return isTTY ? fitTable(table, columns, SPARE) : table;
}
