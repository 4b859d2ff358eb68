import type { Command } from 'commander';
import { connectHistory } from '../../client/connect-history.ts';
import type { History } from '../../core/history.ts';
import { toAnswerText } from '../../presentation/answer-text.ts';
import { toVisible } from '../../presentation/visible.ts';
import { describeAsker } from '../../presentation/who.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { LogEvent } from '../../protocol/events.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { describeRequest, describeStatus, toLocalTime } from '../../terminal/describe.ts';
import { addClientOptions, type ClientOptions, withBeckon } from '../client.ts';
import { createCommand } from '../command.ts';
import { toEventLine } from '../event-line.ts';
import { note, paint, print, printJson } from '../output.ts';

export function createShow(): Command {
  return addClientOptions(
    createCommand('show', {
      summary: 'Show one request in full, with its log.',
      examples: [
        ['beckon show int_…', 'show the request, its outcome, and what happened to it'],
        ['beckon show int_… --json', '{ "interaction": {…}, "log": […] }'],
      ],
    }).argument('<id>', 'id of the request, from "beckon list"'),
  ).action(runShow);
}

async function runShow(id: string, options: ClientOptions): Promise<void> {
  const { interaction, log } = await withBeckon(options, async (beckon, _config, { url, token }) => {
    const found = await beckon.get(id);
    if (found === null) {
      throw new BeckonError(
        'interaction_not_found',
        `No request with id ${JSON.stringify(id)}. See: beckon list --all`,
      );
    }
    return { interaction: found, log: await readLog(connectHistory(url, { token }), id) };
  });
  if (options.json === true) return printJson({ interaction, log });
  print(
    toFacts(interaction)
      .map(([name, value]) => `${paint('bold', name.padEnd(10))}${value}`)
      .join('\n'),
  );
  print(`\n${describeRequest(interaction)}`);
  const { answer } = interaction;
  if (answer !== undefined) print(`\n${paint('bold', 'Answer')}\n${toVisible(toAnswerText(answer, interaction))}`);
  if (log.length > 0) print(`\n${paint('bold', 'Log')}\n${log.map(toEventLine).join('\n')}`);
}

function toFacts(interaction: Interaction): [string, string][] {
  const { id, kind, status, chatId, sessionId, createdAt, expiresAt, settledAt } = interaction;
  const facts: [string, string | undefined][] = [
    ['Id', id],
    ['Kind', kind],
    ['Status', status],
    ['Outcome', describeStatus(interaction)],
    ['Chat', toVisible(chatId, 'code')],
    ['Session', sessionId === undefined ? undefined : toVisible(sessionId, 'code')],
    ['Asked by', describeAsker(interaction)],
    ['Asked', toLocalTime(createdAt)],
    ['Deadline', expiresAt === undefined ? 'none' : toLocalTime(expiresAt)],
    ['Settled', settledAt === undefined ? undefined : toLocalTime(settledAt)],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== undefined);
}

async function readLog(history: History, id: string): Promise<LogEvent[]> {
  try {
    const events: LogEvent[] = [];
    let after: number | undefined;
    do {
      const page = await history.interactionLog(id, { after });
      events.push(...page.events);
      after = page.next;
    } while (after !== undefined);
    return events;
  } catch (error) {
    // An agent may read its own requests, but not the log.
    if (!(error instanceof BeckonError) || error.code !== 'forbidden') throw error;
    note('The log is missing, because your token may not read it.');
    return [];
  }
}
