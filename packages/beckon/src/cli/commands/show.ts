import type { Command } from 'commander';
import { describeRequest, describeStanding, toLocalTime } from '../../connectors/terminal/describe.ts';
import type { Beckon } from '../../core/beckon.ts';
import { toVisible } from '../../core/visible.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { LogEvent } from '../../protocol/events.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { addClientOptions, type ClientOptions, withBeckon } from '../client.ts';
import { createCommand } from '../command.ts';
import { describeEvent, toAnswerText } from '../outcome.ts';
import { note, paint, print, printJson } from '../output.ts';

/** The log has no end that could be asked for: it is read when nothing more comes for so long. */
const QUIET_MS = 300;

export function createShow(): Command {
  return addClientOptions(
    createCommand('show', {
      summary: 'Show one interaction in full, with its lines of the log.',
      examples: [
        ['beckon show int_…', 'what was asked, how it stands, what happened to it'],
        ['beckon show int_… --json', '{ "interaction": {…}, "log": […] }'],
      ],
    }).argument('<id>', 'which interaction, as "beckon list" shows it'),
  ).action(runShow);
}

async function runShow(id: string, options: ClientOptions): Promise<void> {
  const { interaction, log } = await withBeckon(options, async (beckon) => {
    const found = await beckon.get(id);
    if (found === null) {
      throw new BeckonError(
        'interaction_not_found',
        `There is no interaction with the id ${JSON.stringify(id)}. See: beckon list --all`,
      );
    }
    return { interaction: found, log: await readLog(beckon, found) };
  });
  if (options.json === true) return printJson({ interaction, log });
  print(
    toFacts(interaction)
      .map(([name, value]) => `${paint('bold', name.padEnd(10))}${toVisible(value)}`)
      .join('\n'),
  );
  print(`\n${describeRequest(interaction)}`);
  if (interaction.status === 'answered') print(`\n${paint('bold', 'Answer')}\n${toVisible(toAnswerText(interaction))}`);
  if (log.length > 0) print(`\n${paint('bold', 'Log')}\n${log.map(describeEvent).join('\n')}`);
}

function toFacts(interaction: Interaction): [string, string][] {
  const { id, kind, status, chatId, sessionId, askedBy, createdAt, expiresAt, settledAt } = interaction;
  const facts: [string, string | undefined][] = [
    ['Id', id],
    ['Kind', kind],
    ['Status', status],
    ['Outcome', describeStanding(interaction)],
    ['Chat', chatId],
    ['Session', sessionId],
    ['Asked by', askedBy],
    ['Asked', toLocalTime(createdAt)],
    ['Deadline', expiresAt === undefined ? 'none' : toLocalTime(expiresAt)],
    ['Settled', settledAt === undefined ? undefined : toLocalTime(settledAt)],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== undefined);
}

async function readLog(beckon: Beckon, interaction: Interaction): Promise<LogEvent[]> {
  try {
    return await collectEvents(beckon, interaction, await findStart(beckon, interaction));
  } catch (error) {
    // An agent may read what it asked, but not the log.
    if (!(error instanceof BeckonError) || error.code !== 'forbidden') throw error;
    note('The log is not shown: this token does not allow it.');
    return [];
  }
}

async function collectEvents(beckon: Beckon, { id }: Interaction, after: number): Promise<LogEvent[]> {
  const quiet = new AbortController();
  const startedAt = new Date().toISOString();
  const found: LogEvent[] = [];
  let timer = setTimeout(() => quiet.abort(), QUIET_MS * 3);
  try {
    for await (const event of beckon.events({ after, signal: quiet.signal })) {
      clearTimeout(timer);
      if ('interactionId' in event && event.interactionId === id) found.push(event);
      if (event.at > startedAt) break;
      timer = setTimeout(() => quiet.abort(), QUIET_MS);
    }
  } catch (error) {
    if (!quiet.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
  }
  return found;
}

// The cursor of a page is the number of an event not later than any item of that page, so the log need not be read from its start.
async function findStart(beckon: Beckon, { id, chatId, kind, status }: Interaction): Promise<number> {
  let after: string | undefined;
  do {
    const page = await beckon.list({
      chatId,
      kind,
      status,
      limit: LIMITS.pageItems,
      ...(after !== undefined && { after }),
    });
    if (page.items.some((item) => item.id === id)) return Math.max(0, Number(page.next ?? 0) - 1);
    after = page.next;
  } while (after !== undefined);
  return 0;
}
