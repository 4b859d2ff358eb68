import type { Command } from 'commander';
import { toVisibleLine } from '../../presentation/visible.ts';
import type { PersonalDestination } from '../../protocol/destination.ts';
import { DeliveriesQuery, type ReplayTarget } from '../../protocol/destinations-http.ts';
import { BeckonError, toDestinationNotFoundError } from '../../protocol/errors.ts';
import { parse } from '../../protocol/parse.ts';
import { toLocalTime } from '../../terminal/describe.ts';
import { addClientOptions, type ClientOptions } from '../client.ts';
import { createCommand, createGroup } from '../command.ts';
import { toDeliveryRow, toState, toTerms } from '../notify/destination-words.ts';
import { withDestinations } from '../notify/with-destinations.ts';
import { note, paint, print, printJson } from '../output.ts';
import { fitTable, formatTable, type Table } from '../table.ts';
import { createAdd, sayTested, sendTest } from './notify-add.ts';
import { createEdit } from './notify-edit.ts';

const HEAD = ['ID', 'KIND', 'STATE', 'WAITING', 'DEAD', 'OWNER', 'LABEL', 'TOLD'];
/** The columns that a narrow terminal leaves out, in this order. */
const SPARE = ['OWNER', 'DEAD', 'WAITING', 'KIND', 'LABEL'];
const STYLES = { on: 'green', off: 'dim', 'not proven': 'yellow', failing: 'red' } as const;

export function createNotify(): Command {
  const notify = createGroup('notify', {
    summary: 'Choose where, when and of what you are told, and send events to webhooks.',
    examples: [
      ['beckon notify add ntfy --after 2m', 'tell your phone if a request still waits after 2 minutes'],
      ['beckon notify list', 'show where you are told, and what waits'],
      ['beckon notify test dst_…', 'send a code or a test, and see what becomes of it'],
      ['beckon notify deliveries dst_…', 'show what was sent, what waits, and what never arrived'],
      ["beckon notify add webhook https://ci.example/hook --types 'interaction.*'", 'signed events for a program'],
    ],
  });
  for (const command of [
    createList(),
    createAdd(),
    createEdit(),
    createRemove(),
    createTest(),
    createProve(),
    createSecret(),
    createDeliveries(),
    createReplay(),
  ]) {
    notify.addCommand(command);
  }
  return notify;
}

function createList(): Command {
  return addClientOptions(
    createCommand('list', {
      summary: 'List where you are told; for an admin, where everybody is.',
      examples: [['beckon notify list --json', '{ "items": [{ "id", "kind", "when", "filter", "waiting", … }] }']],
    }),
  ).action(async (options: ClientOptions) => {
    const items = await withDestinations(options, (destinations) => destinations.list());
    if (options.json === true) return printJson({ items });
    if (items.length === 0) return note('You are told nowhere but on the page. Add a place with: beckon notify add');
    showTable(items);
    for (const { id, problem } of items) {
      if (problem !== undefined) note(`${id}: ${toVisibleLine(problem.error, 200)} (${toLocalTime(problem.at)})`);
    }
  });
}

function createRemove(): Command {
  return withId('remove', 'Remove a destination, with what waits for it.', [
    ['beckon notify remove dst_…', 'nothing is sent there any more'],
  ]).action(async (id: string, options: ClientOptions) => {
    if (!(await withDestinations(options, (destinations) => destinations.remove(id)))) {
      throw toDestinationNotFoundError(id);
    }
    if (options.json === true) printJson({ id, removed: true });
    else print(`Removed ${id}.`);
  });
}

function createTest(): Command {
  return withId('test', 'Send a code to a place that is not proven, else a test, and say what became of it.', [
    ['beckon notify test dst_…', 'exit code 1 if it does not arrive'],
  ]).action(async (id: string, options: ClientOptions) => {
    const tested = await withDestinations(options, (destinations) => sendTest(destinations, id, options));
    if (options.json === true) printJson(tested);
    else sayTested(id, tested);
  });
}

function createProve(): Command {
  return withId('prove', 'Give the code that a place got. From then on you are told there.', [
    ['beckon notify prove dst_… 1234-5678', 'spaces and dashes do not matter'],
  ])
    .argument('<code>', 'the eight digits')
    .action(async (id: string, code: string, options: ClientOptions) => {
      const proven = await withDestinations(options, (destinations) => destinations.prove(id, code));
      if (options.json === true) printJson(proven);
      else print(`Proven. You are told at ${toVisibleLine(proven.target, 100)}: ${toTerms(proven)}.`);
    });
}

function createSecret(): Command {
  return withId('secret', 'Give a webhook a new secret. The old one signs as well for 24 hours.', [
    ['beckon notify secret dst_…', 'prints the new secret, once'],
  ]).action(async (id: string, options: ClientOptions) => {
    const rotated = await withDestinations(options, (destinations) => destinations.rotateSecret(id));
    if (options.json === true) return printJson(rotated);
    print(rotated.secret);
    note(`It is shown only now. The old secret signs as well until ${toLocalTime(rotated.oldUntil)}.`);
  });
}

function createDeliveries(): Command {
  return withId('deliveries', 'Show what waits for a destination, what never arrived, and what was sent last.', [
    ['beckon notify deliveries dst_… --limit 20', 'the newest 20'],
  ])
    .option('--limit <number>', 'items, 1 to 200 (default: 50)')
    .option('--before <number>', 'only those of events before this number')
    .action(async (id: string, options: ClientOptions & { limit?: string; before?: string }) => {
      const { limit, before } = options;
      const page = parse(
        DeliveriesQuery,
        { ...(limit !== undefined && { limit }), ...(before !== undefined && { before }) },
        { what: 'page' },
      );
      const items = await withDestinations(options, (destinations) => destinations.deliveries(id, page));
      if (options.json === true) return printJson({ items });
      if (items.length === 0) return note('Nothing was sent there yet, and nothing waits.');
      print(formatTable(['EVENT', 'STATUS', 'WHAT', 'REQUEST', 'AT', 'TRIED', 'WHY'], items.map(toDeliveryRow)));
    });
}

function createReplay(): Command {
  return withId('replay', 'Send dead letters again; to a webhook also events.', [
    ['beckon notify replay dst_… --dead', 'what never arrived'],
    ['beckon notify replay dst_… --event 4711', 'one event, by its number in the log'],
    ['beckon notify replay dst_… --after 4000', 'all events after this number that it wants'],
  ])
    .option('--dead', 'all dead letters')
    .option('--event <number>', 'one event')
    .option('--after <number>', 'all events after this number')
    .action(async (id: string, options: ClientOptions & { dead?: boolean; event?: string; after?: string }) => {
      const target = toTarget(options);
      const count = await withDestinations(options, (destinations) => destinations.replay(id, target));
      if (options.json === true) return printJson({ count });
      print('after' in target ? `Looking at ${count} events.` : `Queued again: ${count}`);
    });
}

function withId(name: string, summary: string, examples: [string, string][]): Command {
  return addClientOptions(
    createCommand(name, { summary, examples }).argument('<id>', 'id of the destination, from "beckon notify list"'),
  );
}

function toTarget({ dead, event, after }: { dead?: boolean; event?: string; after?: string }): ReplayTarget {
  const given = [dead, event, after].filter((value) => value !== undefined);
  if (given.length !== 1) throw new BeckonError('invalid_input', 'Give one of --dead, --event and --after.');
  if (dead === true) return { dead: true };
  return event === undefined ? { after: toNumber('--after', after) } : { seq: toNumber('--event', event) };
}

function toNumber(option: string, text = ''): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new BeckonError('invalid_input', `${option}: expected the number of an event, got ${JSON.stringify(text)}.`);
}

function showTable(items: readonly PersonalDestination[]): void {
  const columns = process.stdout.columns || 80;
  const table: Table = { head: HEAD, rows: items.map(toRow) };
  const { head, rows } = process.stdout.isTTY ? fitTable(table, columns, SPARE) : table;
  const paintCell = (cell: string, column: number, row: number): string => {
    const item = items[row];
    return head[column] === 'STATE' && item !== undefined ? paint(STYLES[toState(item)], cell) : cell;
  };
  print(formatTable(head, rows, paintCell));
}

function toRow(item: PersonalDestination): string[] {
  return [
    item.id,
    item.kind,
    toState(item),
    String(item.waiting),
    String(item.dead),
    toVisibleLine(item.owner, 20, 'code'),
    toVisibleLine(item.label, 30),
    toTerms(item),
  ];
}
