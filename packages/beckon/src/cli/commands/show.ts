import type { Command } from 'commander';
import { connectHistory } from '../../client/connect-history.ts';
import type { History } from '../../core/history.ts';
import { toAnswerText } from '../../presentation/answer-text.ts';
import { describePlace, toPlace } from '../../presentation/place.ts';
import { toVisible } from '../../presentation/visible.ts';
import { describeAsker } from '../../presentation/who.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { LogEvent } from '../../protocol/events.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { assessRisk } from '../../risk/assess-risk.ts';
import { withRisk } from '../../risk/with-risk.ts';
import { describeReasons } from '../../terminal/around-text.ts';
import { toLook } from '../../terminal/closing.ts';
import { describeStatus, toLocalTime } from '../../terminal/describe.ts';
import { layOut } from '../../terminal/line.ts';
import { describeRequest } from '../../terminal/request-text.ts';
import { toRiskStyles } from '../../terminal/risk-text.ts';
import { addClientOptions, type ClientOptions, withBeckon } from '../client.ts';
import { createCommand } from '../command.ts';
import { toEventLine } from '../event-line.ts';
import { note, paint, paintAll, print, printJson } from '../output.ts';
import { readEvents } from '../read-events.ts';
import { toRiskCell } from '../risk-cell.ts';

/** Where the width is not known, as in a pipe, lines are not broken. */
const WIDE = Number.MAX_SAFE_INTEGER;

export function createShow(): Command {
  return addClientOptions(
    createCommand('show', {
      summary: 'Show one request in full, with its log.',
      examples: [
        ['beckon show int_…', 'show the request, its outcome, and what happened to it'],
        ['beckon show int_… --json', '{ "interaction": {…}, "context": {…}, "log": […] }'],
      ],
    }).argument('<id>', 'id of the request, from "beckon list"'),
  ).action(runShow);
}

async function runShow(id: string, options: ClientOptions): Promise<void> {
  const { interaction, context, log } = await withBeckon(options, async (beckon, _config, { url, access }) => {
    const found = await beckon.get(id);
    if (found === null) {
      throw new BeckonError(
        'interaction_not_found',
        `No request with id ${JSON.stringify(id)}. See: beckon list --all`,
      );
    }
    const surroundings = found.context === undefined ? null : await beckon.context(id);
    return { interaction: found, context: surroundings, log: await readLog(connectHistory(url, access), id) };
  });
  if (options.json === true) {
    return printJson({ interaction: withRisk(interaction), ...(context !== null && { context }), log });
  }
  print(
    toFacts(interaction)
      .map(([name, value]) => `${paint('bold', name.padEnd(10))}${value}`)
      .join('\n'),
  );
  const columns = process.stdout.columns ?? WIDE;
  const described = [
    ...describeRequest(interaction, { context, paint: paintAll, columns }),
    ...describeReasons(interaction, context, paintAll, columns),
  ];
  print(`\n${layOut(described, columns).join('\n')}`);
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
    ['Outcome', describeEnd(interaction)],
    ['Risk', describeCare(interaction)],
    ['Chat', toVisible(chatId, 'code')],
    ['Session', sessionId === undefined ? undefined : toVisible(sessionId, 'code')],
    ['Place', describePlace(interaction) || undefined],
    ['Title', toPlace(interaction).title],
    ['Asked by', describeAsker(interaction)],
    ['Asked', toLocalTime(createdAt)],
    ['Deadline', expiresAt === undefined ? 'none' : toLocalTime(expiresAt)],
    ['Settled', settledAt === undefined ? undefined : toLocalTime(settledAt)],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== undefined);
}

function describeCare(interaction: Interaction): string | undefined {
  const { level } = assessRisk(interaction);
  return level === 'routine' ? undefined : paintAll(toRiskCell(interaction), ...toRiskStyles(level));
}

/** Allowed and denied look different. */
function describeEnd(interaction: Interaction): string {
  const { mark, style } = toLook(interaction);
  const text = describeStatus(interaction);
  return interaction.status === 'pending' ? text : paint(style, `${mark} ${text}`);
}

async function readLog(history: History, id: string): Promise<LogEvent[]> {
  try {
    return await readEvents(history, id);
  } catch (error) {
    // An agent may read its own requests, but not the log.
    if (!(error instanceof BeckonError) || error.code !== 'forbidden') throw error;
    note('The log is missing, because your token may not read it.');
    return [];
  }
}
