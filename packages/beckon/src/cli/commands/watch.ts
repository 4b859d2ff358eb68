import type { Command } from 'commander';
import type { Beckon } from '../../core/beckon.ts';
import { describeRisk } from '../../presentation/describe-risk.ts';
import { toHeadline } from '../../presentation/headline.ts';
import { RISK_SIGNS } from '../../presentation/names.ts';
import { describeAsker } from '../../presentation/who.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { LogEvent } from '../../protocol/events.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { assessRisk } from '../../risk/assess-risk.ts';
import { toRiskStyles } from '../../terminal/risk-text.ts';
import { addClientOptions, type ClientOptions, withBeckon } from '../client.ts';
import { createCommand } from '../command.ts';
import { toEventLine } from '../event-line.ts';
import { note, paintAll, print, printJson } from '../output.ts';

interface WatchOptions extends ClientOptions {
  after?: string;
}

export function createWatch(): Command {
  return addClientOptions(
    createCommand('watch', {
      summary: 'Follow the log, one line per event. Stop with Ctrl-C.',
      examples: [
        ['beckon watch', 'start now'],
        ['beckon watch --after 0', 'start at the beginning, then follow'],
        ['beckon watch --json | jq .type', 'print one JSON document per line'],
      ],
    }).option('--after <number>', 'start after the event with this number'),
  ).action(runWatch);
}

async function runWatch(options: WatchOptions): Promise<void> {
  const { after } = options;
  if (after !== undefined && !/^\d{1,15}$/.test(after)) {
    throw new BeckonError('invalid_input', `--after: expected the number of an event, got ${JSON.stringify(after)}.`);
  }
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  await withBeckon(options, async (beckon) => {
    // Report an error such as a wrong token now, instead of retrying silently.
    await beckon.list({ limit: 1 });
    if (process.stderr.isTTY) note('watching. Stop with Ctrl-C.');
    try {
      const from = after === undefined ? {} : { after: Number(after) };
      for await (const event of beckon.events({ ...from, signal: stop.signal })) {
        const asked = event.type === 'interaction.requested' ? await readAsked(beckon, event) : null;
        if (options.json === true)
          printJson(asked?.kind === 'approval' ? { ...event, risk: assessRisk(asked) } : event);
        else print(toLine(event, asked));
      }
    } catch (error) {
      if (!stop.signal.aborted) throw error;
    }
  });
}

/** The log does not repeat the request. A line is worth printing without it. */
async function readAsked(
  beckon: Beckon,
  event: Extract<LogEvent, { interactionId: string }>,
): Promise<Interaction | null> {
  return beckon.get(event.interactionId).catch(() => null);
}

function toLine(event: LogEvent, asked: Interaction | null): string {
  const line = toEventLine(event);
  if (asked === null) return line;
  const risk = assessRisk(asked);
  const care = risk.level === 'routine' ? '' : `  ${RISK_SIGNS[risk.level]} ${describeRisk(risk)}`;
  return `${line}  ${describeAsker(asked)}: ${toHeadline(asked, 80)}${paintAll(care, ...toRiskStyles(risk.level))}`;
}
