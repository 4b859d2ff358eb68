import type { Command } from 'commander';
import { type OutboxTarget, toMissingEntry } from '../../core/outbox.ts';
import type { OutboxControl } from '../../core/outbox-control.ts';
import { toVisibleLine } from '../../presentation/visible.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { Id } from '../../protocol/ids.ts';
import type { Destination, OutboxEntry } from '../../protocol/outbox.ts';
import { OutboxQuery } from '../../protocol/outbox.ts';
import { parse } from '../../protocol/parse.ts';
import { toLocalTime } from '../../terminal/describe.ts';
import { addClientOptions, type ClientOptions } from '../client.ts';
import { createCommand, createGroup } from '../command.ts';
import { formatTable, note, paint, print, printJson } from '../output.ts';
import { withOutbox } from '../with-outbox.ts';

interface OutboxOptions extends ClientOptions {
  store?: string;
}

interface ListOptions extends OutboxOptions {
  dead?: boolean;
  session?: string;
  limit?: string;
  after?: string;
}

export function createOutbox(): Command {
  const outbox = createGroup('outbox', {
    summary: 'Hooks that did not reach the backend yet: look at them, send them again, give them up.',
    examples: [
      ['beckon outbox list', 'what waits, and whether the backend is paused'],
      ['beckon outbox list --dead', 'what the backend will never accept as it is'],
      ['beckon outbox retry --dead', 'send all of those again'],
      ['beckon outbox resume', 'after the token was corrected'],
    ],
    more: 'Works on the Beckon that runs, and on its store where none does.',
  });
  for (const command of [createList(), createShow(), createRetry(), createDrop(), createPause(), createResume()]) {
    outbox.addCommand(command);
  }
  return outbox;
}

function createList(): Command {
  return addOptions(
    createCommand('list', {
      summary: 'List what did not arrive yet, the oldest first, below what waits for each backend.',
      examples: [
        ['beckon outbox list --session ID', 'of one run of an agent'],
        ['beckon outbox list --json', '{ "destinations": […], "items": […], "next"? }'],
      ],
    })
      .option('--dead', 'only dead letters')
      .option('--session <id>', 'of one run of an agent')
      .option('--limit <number>', 'items in the page, 1 to 200 (default: 50)')
      .option('--after <cursor>', 'the page after this one, from "next"'),
  ).action(async (options: ListOptions) => {
    const { dead, session, limit, after } = options;
    const filter = parse(
      OutboxQuery,
      {
        ...(dead === true && { status: 'dead' }),
        ...(session !== undefined && { sessionId: session }),
        ...(limit !== undefined && { limit }),
        ...(after !== undefined && { after }),
      },
      { what: 'filter' },
    );
    const { destinations, page } = await withOutbox(options, async (tool) => ({
      destinations: await tool.destinations(),
      page: await tool.list(filter),
    }));
    if (options.json === true) return printJson({ destinations, ...page });
    for (const destination of destinations) print(toSummary(destination));
    if (page.items.length === 0) return note(dead === true ? 'There are no dead letters.' : 'Nothing waits.');
    print(formatTable(['ID', 'STATUS', 'SESSION', 'EVENT', 'AT', 'TRIED', 'WHY'], page.items.map(toRow)));
    if (page.next !== undefined) note(`There is more: add --after ${page.next}`);
  });
}

function createShow(): Command {
  return addOptions(
    createCommand('show', {
      summary: 'Show one entry, with the event as it is sent.',
      examples: [['beckon outbox show ID --json', '']],
    }).argument('<id>', 'as "beckon outbox list" shows it'),
  ).action(async (id: string, options: OutboxOptions) => {
    const found = await withOutbox(options, (tool) => tool.find(parse(Id, id, { what: 'id' })));
    if (found === null) throw toMissingEntry(id);
    if (options.json === true) return printJson(found);
    const { event, ...entry } = found;
    for (const [name, value] of Object.entries(entry)) print(`${name.padEnd(14)}${toVisibleLine(String(value))}`);
    print(toVisibleLine(JSON.stringify(event)));
  });
}

function createRetry(): Command {
  return addTarget(
    createCommand('retry', {
      summary: 'Send one entry, or every dead letter, again at once, to the backend that is configured.',
      examples: [
        ['beckon outbox retry ID', 'one, without waiting for its next attempt'],
        ['beckon outbox retry --dead', 'all dead letters'],
      ],
    }),
  ).action(async (id: string | undefined, options: OutboxOptions & { dead?: boolean }) => {
    const target = toTarget(id, options);
    const { count, paused } = await withOutbox(options, async (tool) => ({
      count: await tool.retry(target),
      paused: await findPaused(tool, target),
    }));
    if (id !== undefined && count === 0) throw toMissingEntry(id);
    if (options.json === true) return printJson({ count, paused: paused.map(({ destination }) => destination) });
    if (count === 0 || paused.length === 0) return print(`Sent again: ${count}`);
    print(`Waiting again: ${count}`);
    for (const { destination, reason } of paused) {
      print(`${destination} is paused (${reason}). To send: beckon outbox resume ${destination}`);
    }
  });
}

function createDrop(): Command {
  return addTarget(
    createCommand('drop', {
      summary: 'Give one entry, or every dead letter, up for good. The hook stays on this machine.',
      examples: [
        ['beckon outbox drop ID', ''],
        ['beckon outbox drop --dead', 'all dead letters'],
      ],
    }),
  ).action(async (id: string | undefined, options: OutboxOptions & { dead?: boolean }) => {
    const count = await withOutbox(options, (tool) => tool.drop(toTarget(id, options)));
    if (id !== undefined && count === 0) throw toMissingEntry(id);
    if (options.json === true) printJson({ count });
    else print(`Dropped: ${count}`);
  });
}

function createPause(): Command {
  return addOptions(
    createCommand('pause', {
      summary: 'Send nothing to a backend until it is resumed. Hooks are kept meanwhile.',
      examples: [['beckon outbox pause --reason "new server tonight"', 'the backend that is configured']],
    })
      .argument('[url]', 'the backend (default: the one that is configured)')
      .option('--reason <text>', 'shown by "beckon outbox list"'),
  ).action(async (url: string | undefined, options: OutboxOptions & { reason?: string }) => {
    const reply = await withOutbox(options, (tool) => tool.pause({ destination: url, reason: options.reason }));
    if (options.json === true) printJson(reply);
    else print(`${reply.destination} ${reply.changed ? 'is paused' : 'was paused already'}`);
  });
}

function createResume(): Command {
  return addOptions(
    createCommand('resume', {
      summary: 'Send to a backend again.',
      examples: [['beckon outbox resume', 'the backend that is configured']],
    }).argument('[url]', 'the backend (default: the one that is configured)'),
  ).action(async (url: string | undefined, options: OutboxOptions) => {
    const reply = await withOutbox(options, (tool) => tool.resume({ destination: url }));
    if (options.json === true) printJson(reply);
    else print(`${reply.destination} ${reply.changed ? 'is resumed' : 'was not paused'}`);
  });
}

function addOptions(command: Command): Command {
  return addClientOptions(command).option('--store <store>', 'work on this store, whether Beckon runs or not');
}

function addTarget(command: Command): Command {
  return addOptions(command.argument('[id]', 'as "beckon outbox list" shows it').option('--dead', 'every dead letter'));
}

function toTarget(id: string | undefined, { dead }: { dead?: boolean }): OutboxTarget {
  if ((id === undefined) !== (dead === true)) {
    throw new BeckonError('invalid_input', 'Name one entry by its id, or all dead letters with --dead.');
  }
  return id === undefined ? 'dead' : { id: parse(Id, id, { what: 'id' }) };
}

/** The paused backends for which something waits; for one entry, only its own. */
async function findPaused(
  tool: OutboxControl,
  target: OutboxTarget,
): Promise<{ destination: string; reason: string }[]> {
  const only = target === 'dead' ? undefined : (await tool.find(target.id))?.destination;
  return (await tool.destinations()).flatMap(({ destination, waiting, paused }) =>
    paused === undefined || waiting === 0 || (target !== 'dead' && destination !== only)
      ? []
      : [{ destination: toVisibleLine(destination), reason: toVisibleLine(paused.reason) }],
  );
}

function toSummary({ destination, waiting, dead, oldestAt, paused }: Destination): string {
  const since = oldestAt === undefined ? '' : ` since ${toLocalTime(oldestAt)}`;
  const counts = `${waiting} waiting${since}, ${dead} dead`;
  const line = `${paint('bold', toVisibleLine(destination))}  ${counts}`;
  if (paused === undefined) return line;
  return `${line}\n  ${paint('yellow', 'paused')} since ${toLocalTime(paused.at)}: ${toVisibleLine(paused.reason)}`;
}

function toRow({ id, status, sessionId, eventType, at, attempts, error = '' }: OutboxEntry): string[] {
  return [
    id,
    status,
    sessionId,
    toVisibleLine(eventType),
    toLocalTime(at),
    String(attempts),
    toVisibleLine(error).slice(0, 60),
  ];
}
