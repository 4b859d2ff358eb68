import type { Command } from 'commander';
import { connectTimePolicies } from '../../client/connect-time-policies.ts';
import type { TimePolicies } from '../../core/time-policy.ts';
import { toVisibleLine } from '../../presentation/visible.ts';
import type { Duration } from '../../protocol/duration.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { PolicyScope, ScopedPolicy } from '../../protocol/time-policies-http.ts';
import { toLocalTime } from '../../terminal/describe.ts';
import { addClientOptions, type ClientOptions, RETRY_SECONDS, withBeckon } from '../client.ts';
import { collect, createCommand, createGroup } from '../command.ts';
import { note, print, printJson } from '../output.ts';
import { formatTable } from '../table.ts';
import { toEscalations, toRemindAfter } from '../time-options.ts';

const HEAD = ['OF', 'REMIND AFTER', 'PASS ON', 'SET BY', 'AT'];

interface ScopeOptions extends ClientOptions {
  chat?: string;
  project?: string;
}

interface SetOptions extends ScopeOptions {
  remindAfter?: string;
  escalate?: string[];
  /** Commander's name for `--no-escalation`. */
  escalation: boolean;
}

export function createPolicy(): Command {
  const policy = createGroup('policy', {
    summary: 'Say when people are reminded of requests, and to whom these are passed on, by chat and project.',
    examples: [
      ['beckon policy set --project webshop --remind-after 10m --escalate 30m:bob', 'remind, then tell bob as well'],
      ['beckon policy set --chat ops --escalate 5m:bob --escalate 15m:dst_…', 'a person, then a destination'],
      ['beckon policy list', 'show every policy'],
      ['beckon policy remove --project webshop', 'requests asked from then on have none'],
    ],
    more: 'What an ask says itself counts first, then the policy of its chat, then that of its project.',
  });
  for (const command of [createList(), createSet(), createRemove()]) policy.addCommand(command);
  return policy;
}

function createList(): Command {
  return addClientOptions(
    createCommand('list', {
      summary: 'List the time policies of chats and projects.',
      examples: [
        ['beckon policy list --json', '{ "items": [{ "chatId"?, "project"?, "remindAfter"?, "escalate"? }] }'],
      ],
    }),
  ).action(async (options: ClientOptions) => {
    const items = await withPolicies(options, (policies) => policies.list());
    if (options.json === true) return printJson({ items });
    if (items.length === 0) return note('There are no time policies. Set one with: beckon policy set');
    print(formatTable(HEAD, items.map(toRow)));
  });
}

function createSet(): Command {
  return addClientOptions(
    withScope(
      createCommand('set', {
        summary: 'Set the time policy of a chat or project, in place of the one it has.',
        examples: [
          ['beckon policy set --project webshop --remind-after 10m', 'remind once, after 10 minutes'],
          ['beckon policy set --chat ops --escalate 30m:bob', 'tell bob what still waits after 30 minutes'],
          ['beckon policy set --chat lab --remind-after never --no-escalation', 'nothing, whatever the project says'],
        ],
      }),
    )
      .option('--remind-after <duration>', 'remind people once: seconds, 30s, 10m, 12h, never')
      .option('--escalate <after:to>', 'pass it on to a person or a destination (dst_…); repeatable', collect)
      .option('--no-escalation', 'pass nothing on'),
  ).action(async (options: SetOptions) => {
    const { remindAfter, escalate, escalation } = options;
    if (escalate !== undefined && !escalation) {
      throw new BeckonError('invalid_input', 'Give --escalate or --no-escalation, not both.');
    }
    const policy = {
      ...toScope(options),
      ...(remindAfter !== undefined && { remindAfter: toRemindAfter(remindAfter) }),
      ...(escalate !== undefined && { escalate: toEscalations(escalate) }),
      ...(!escalation && { escalate: [] }),
    };
    const kept = await withPolicies(options, (policies) => policies.set(policy));
    if (options.json === true) printJson(kept);
    else print(`Set for ${toOf(kept)}, for requests asked from now on. ${describe(kept)}`);
  });
}

function createRemove(): Command {
  return addClientOptions(
    withScope(
      createCommand('remove', {
        summary: 'Remove the time policy of a chat or project. Requests that wait keep theirs.',
        examples: [['beckon policy remove --chat ops', 'exit code 1 if it has none']],
      }),
    ),
  ).action(async (options: ScopeOptions) => {
    const scope = toScope(options);
    if (!(await withPolicies(options, (policies) => policies.remove(scope)))) {
      throw new BeckonError('policy_not_found', `There is no time policy for ${toOf(scope)}. See: beckon policy list`);
    }
    if (options.json === true) printJson({ ...scope, removed: true });
    else print(`Removed the time policy of ${toOf(scope)}.`);
  });
}

function withScope(command: Command): Command {
  return command.option('--chat <id>', 'the chat').option('--project <name>', 'the project, as agents say');
}

function toScope({ chat, project }: ScopeOptions): PolicyScope {
  if ((chat === undefined) === (project === undefined)) {
    throw new BeckonError('invalid_input', 'Give --chat or --project.');
  }
  return chat === undefined ? { project } : { chatId: chat };
}

function withPolicies<Result>(
  options: ClientOptions,
  work: (policies: TimePolicies) => Promise<Result>,
): Promise<Result> {
  return withBeckon(options, (_beckon, _config, { url, access }) =>
    work(connectTimePolicies(url, { ...access, retryFor: RETRY_SECONDS })),
  );
}

function toRow(policy: ScopedPolicy): string[] {
  const { remindAfter, escalate, setBy, setAt } = policy;
  return [
    toOf(policy),
    toShownReminder(remindAfter),
    toShownEscalations(escalate),
    toVisibleLine(setBy, 20, 'code'),
    toLocalTime(setAt),
  ];
}

function toOf({ chatId, project }: PolicyScope): string {
  return chatId === undefined ? `project ${toVisibleLine(project ?? '', 40, 'code')}` : `chat ${chatId}`;
}

function describe({ remindAfter, escalate }: ScopedPolicy): string {
  return [
    ...(remindAfter === undefined ? [] : [`Remind after: ${toShownReminder(remindAfter)}.`]),
    ...(escalate === undefined ? [] : [`Pass on: ${toShownEscalations(escalate)}.`]),
  ].join(' ');
}

function toShownReminder(remindAfter: Duration | null | undefined): string {
  return remindAfter === undefined ? '' : remindAfter === null ? 'never' : toShown(remindAfter);
}

function toShownEscalations(escalate: ScopedPolicy['escalate']): string {
  if (escalate === undefined) return '';
  if (escalate.length === 0) return 'never';
  return escalate.map(({ after, to }) => `after ${toShown(after)} to ${toVisibleLine(to, 40, 'code')}`).join(', ');
}

function toShown(duration: Duration): string {
  return typeof duration === 'number' ? `${duration} s` : duration;
}
