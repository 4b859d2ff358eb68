import type { Command } from 'commander';
import {
  CONTENT_LEVELS,
  type DestinationFilter,
  type PersonalDestination,
  type When,
} from '../../protocol/destination.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { KINDS } from '../../protocol/interaction.ts';
import { RISK_LEVELS } from '../../protocol/risk.ts';
import type { ClientOptions } from '../client.ts';
import { collect } from '../command.ts';

/** When and of what somebody is told. */
export interface NotifyOptions extends ClientOptions {
  label?: string;
  after?: string;
  beforeExpiry?: string;
  quiet?: string;
  timeZone?: string;
  evenInSight?: boolean;
  onlyOutOfSight?: boolean;
  chat?: string[];
  project?: string[];
  kind?: string[];
  risk?: string;
  types?: string[];
  content?: string;
}

/** Takes away what a destination has: `--quiet none`. */
const NONE = 'none';

/** Adds the options that say when somebody is told. */
export function addWhenOptions(command: Command): Command {
  return command
    .option('--after <duration>', 'tell only if it still waits after this: 30s, 5m, 1h (default: at once)')
    .option('--before-expiry <duration>', 'tell again this long before the request expires; none: do not')
    .option('--quiet <from-to>', 'tell nothing in these hours, such as 22:00-07:00; none: tell at any hour')
    .option('--time-zone <zone>', 'of the quiet hours, such as Europe/Berlin (default: of this machine)')
    .option('--even-in-sight', 'tell even while you have the page in sight');
}

/** Adds the options that say what somebody is told of, and how much. */
export function addFilterOptions(command: Command): Command {
  return command
    .option('--chat <id>', 'only this chat; repeat it', collect)
    .option('--project <name>', 'only this project; repeat it', collect)
    .option('--kind <kind>', `only this kind: ${KINDS.join(', ')}; repeat it`, collect)
    .option('--risk <level>', `only what needs at least this much care: ${RISK_LEVELS.join(', ')}`)
    .option('--content <level>', `how much leaves Beckon: ${CONTENT_LEVELS.join(', ')}`)
    .option('--label <text>', 'what to call it');
}

/** When to tell, from the options, over what there was. */
export function toWhen(options: NotifyOptions, before?: PersonalDestination['when']): When {
  const { after, beforeExpiry, evenInSight, onlyOutOfSight } = options;
  const quiet = toQuiet(options, before);
  const expiry = beforeExpiry ?? before?.beforeExpiry;
  return {
    after: after ?? before?.after ?? 0,
    evenInSight: evenInSight === true || (before?.evenInSight === true && onlyOutOfSight !== true),
    ...(expiry !== undefined && expiry !== NONE && { beforeExpiry: expiry }),
    ...(quiet !== undefined && { quiet }),
  };
}

/** What to tell of, from the options, over what there was. The server checks the names. */
export function toFilter(options: NotifyOptions, before: DestinationFilter = {}): DestinationFilter {
  const { chat, project, kind, risk, types } = options;
  return {
    ...before,
    ...(chat !== undefined && { chats: chat }),
    ...(project !== undefined && { projects: project }),
    ...(kind !== undefined && { kinds: kind as DestinationFilter['kinds'] }),
    ...(risk !== undefined && { risk: risk as DestinationFilter['risk'] }),
    ...(types !== undefined && { types }),
  };
}

/** Collects types that are separated by commas. */
export function collectTypes(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, ...value.split(',').map((type) => type.trim())].filter((type) => type !== '');
}

function toQuiet({ quiet, timeZone }: NotifyOptions, before: PersonalDestination['when'] | undefined): When['quiet'] {
  if (quiet === NONE) return undefined;
  if (quiet === undefined) {
    const kept = before?.quiet;
    return kept === undefined || timeZone === undefined ? kept : { ...kept, timeZone };
  }
  const [, from, to] = /^(\d{1,2}:\d{2})\s*-\s*(\d{1,2}:\d{2})$/.exec(quiet) ?? [];
  if (from === undefined || to === undefined) {
    throw new BeckonError(
      'invalid_input',
      `--quiet: expected hours such as 22:00-07:00, got ${JSON.stringify(quiet)}.`,
    );
  }
  const zone = timeZone ?? before?.quiet?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  return { from: from.padStart(5, '0'), to: to.padStart(5, '0'), timeZone: zone };
}
