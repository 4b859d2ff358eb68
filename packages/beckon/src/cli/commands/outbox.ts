import type { Command } from 'commander';
import { type OutboxTarget, toMissingEntry } from '../../core/outbox.ts';
import type { OutboxControl } from '../../core/outbox-control.ts';
import { toVisibleLine } from '../../presentation/visible.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { Id } from '../../protocol/ids.ts';
import type { OutboxBackend, OutboxEntry } from '../../protocol/outbox.ts';
import { OutboxQuery } from '../../protocol/outbox.ts';
import { parse } from '../../protocol/parse.ts';
import { toLocalTime } from '../../terminal/describe.ts';
import { addClientOptions, type ClientOptions } from '../client.ts';
import { createCommand, createGroup } from '../command.ts';
import { note, paint, print, printJson } from '../output.ts';
import { formatTable } from '../table.ts';
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
    summary: 'Manage hooks that have not reached the backend yet.',
    examples: [
      ['beckon outbox list', 'show what waits, and whether the backend is paused'],
      ['beckon outbox list --dead', 'show what the backend will never accept as it is'],
      ['beckon outbox retry --dead', 'retry all dead letters'],
      ['beckon outbox resume', 'send again, after you have fixed the token'],
    ],
    more: 'Works with a running Beckon, or on its store if none is running.',
  });
  for (const command of [createList(), createShow(), createRetry(), createDrop(), createPause(), createResume()]) {
    outbox.addCommand(command);
  }
  return outbox;
}

function createList(): Command {
  return addOptions(
    createCommand('list', {
      summary: 'List each backend, then the hooks that have not arrived, oldest first.',
      examples: [
        ['beckon outbox list --session ID', 'only this session'],
        ['beckon outbox list --json', '{ "destinations": […], "items": […], "next"? }'],
      ],
    })
      .option('--dead', 'only dead letters')
      .option('--session <id>', 'only this session')
      .option('--limit <number>', 'items on a page, 1 to 200 (default: 50)')
      .option('--after <cursor>', 'start after this cursor, the "next" of the page before'),
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
      destinations: await tool.backends(),
      page: await tool.list(filter),
    }));
    if (options.json === true) return printJson({ destinations, ...page });
    for (const destination of destinations) print(toSummary(destination));
    if (page.items.length === 0) return note(dead === true ? 'There are no dead letters.' : 'Nothing is waiting.');
    print(formatTable(['ID', 'STATUS', 'SESSION', 'EVENT', 'AT', 'TRIED', 'WHY'], page.items.map(toRow)));
    if (page.next !== undefined) note(`There is more. Add --after ${page.next}`);
  });
}

function createShow(): Command {
  return addOptions(
    createCommand('show', {
      summary: 'Show one entry with the event as it is sent.',
      examples: [['beckon outbox show ID --json', 'print the entry as JSON']],
    }).argument('<id>', 'id of the entry, from "beckon outbox list"'),
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
      summary: 'Send one entry or all dead letters again, now, to the configured backend.',
      examples: [
        ['beckon outbox retry ID', 'one entry, before its next attempt is due'],
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
    if (count === 0 || paused.length === 0) return print(`Retried: ${count}`);
    print(`Queued again: ${count}`);
    for (const { destination, reason } of paused) {
      print(`${destination} is paused (${reason}). To send them, run: beckon outbox resume ${destination}`);
    }
  });
}

function createDrop(): Command {
  return addTarget(
    createCommand('drop', {
      summary: 'Drop one entry or all dead letters for good. The hook stays on this machine.',
      examples: [
        ['beckon outbox drop ID', 'one entry'],
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
      summary: 'Stop sending to a backend until you resume it. Hooks wait in the outbox.',
      examples: [['beckon outbox pause --reason "new server tonight"', 'the configured backend']],
    })
      .argument('[url]', 'the backend (default: the configured one)')
      .option('--reason <text>', 'shown by "beckon outbox list"'),
  ).action(async (url: string | undefined, options: OutboxOptions & { reason?: string }) => {
    const reply = await withOutbox(options, (tool) => tool.pause({ destination: url, reason: options.reason }));
    if (options.json === true) printJson(reply);
    else print(`${reply.destination} ${reply.changed ? 'is paused' : 'was already paused'}`);
  });
}

function createResume(): Command {
  return addOptions(
    createCommand('resume', {
      summary: 'Resume sending to a backend.',
      examples: [['beckon outbox resume', 'the configured backend']],
    }).argument('[url]', 'the backend (default: the configured one)'),
  ).action(async (url: string | undefined, options: OutboxOptions) => {
    const reply = await withOutbox(options, (tool) => tool.resume({ destination: url }));
    if (options.json === true) printJson(reply);
    else print(`${reply.destination} ${reply.changed ? 'is resumed' : 'was not paused'}`);
  });
}

function addOptions(command: Command): Command {
  return addClientOptions(command).option('--store <store>', 'use this store, even if Beckon is running');
}

function addTarget(command: Command): Command {
  return addOptions(
    command.argument('[id]', 'id of the entry, from "beckon outbox list"').option('--dead', 'all dead letters'),
  );
}

function toTarget(id: string | undefined, { dead }: { dead?: boolean }): OutboxTarget {
  if ((id === undefined) !== (dead === true)) {
    throw new BeckonError('invalid_input', 'Give the id of one entry, or --dead for all dead letters.');
  }
  return id === undefined ? 'dead' : { id: parse(Id, id, { what: 'id' }) };
}

/** The paused backends with something waiting; for one entry, only its own. */
async function findPaused(
  tool: OutboxControl,
  target: OutboxTarget,
): Promise<{ destination: string; reason: string }[]> {
  const only = target === 'dead' ? undefined : (await tool.find(target.id))?.destination;
  return (await tool.backends()).flatMap(({ destination, waiting, paused }) =>
    paused === undefined || waiting === 0 || (target !== 'dead' && destination !== only)
      ? []
      : [{ destination: toVisibleLine(destination), reason: toVisibleLine(paused.reason) }],
  );
}

function toSummary({ destination, waiting, dead, oldestAt, paused }: OutboxBackend): string {
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
