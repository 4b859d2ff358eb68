import type { Command } from 'commander';
import type { Destinations } from '../../core/destinations.ts';
import type { ContentLevel, DestinationDraft } from '../../protocol/destination.ts';
import type { AddedDestination, TestReply } from '../../protocol/destinations-http.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { addClientOptions } from '../client.ts';
import { createCommand, createGroup } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import {
  addFilterOptions,
  addWhenOptions,
  collectTypes,
  type NotifyOptions,
  toFilter,
  toWhen,
} from '../notify/draft-options.ts';
import { withDestinations } from '../notify/with-destinations.ts';
import { note, print, printJson } from '../output.ts';

interface AddOptions extends NotifyOptions {
  /** Commander's name for `--no-test`. */
  test: boolean;
}

export function createAdd(): Command {
  const add = createGroup('add', {
    summary: 'Add a place where you are told, or a webhook that gets events of the log.',
    examples: [
      ['beckon notify add ntfy --after 2m', 'tell your phone if a request still waits after 2 minutes'],
      ['beckon notify add email ada@example.com --quiet 22:00-07:00', 'not at night'],
      ["beckon notify add webhook https://ci.example/hook --types 'interaction.*'", 'every event of a request, signed'],
    ],
    more: 'A place counts once it is proven: Beckon sends it a code, and you type it. A webhook is proven when it takes a test.',
  });
  for (const command of [createNtfy(), createEmail(), createWebhook(), createPush()]) add.addCommand(command);
  return add;
}

function createNtfy(): Command {
  return addOptions(
    createCommand('ntfy', {
      summary: 'Tell a phone through ntfy, at ntfy.sh or a server of your own.',
      examples: [
        ['beckon notify add ntfy', 'prints the topic to subscribe to; nobody else can guess it'],
        ['beckon notify add ntfy --server https://ntfy.example --topic ada', 'at your own server'],
      ],
      more: 'The access token of a protected topic is read from BECKON_NTFY_TOKEN.',
    })
      .option('--server <url>', 'the ntfy server (default: https://ntfy.sh)')
      .option('--topic <name>', 'the topic (default: a random one)'),
  ).action(async (options: AddOptions & { server?: string; topic?: string }) => {
    const { server, topic } = options;
    const token = process.env['BECKON_NTFY_TOKEN'];
    await addOne(options, {
      ...toCommon(options),
      kind: 'ntfy',
      ...(server !== undefined && { server }),
      ...(topic !== undefined && { topic }),
      ...(token !== undefined && token !== '' && { token }),
    });
  });
}

function createEmail(): Command {
  return addOptions(
    createCommand('email', {
      summary: 'Tell an e-mail address.',
      examples: [['beckon notify add email ada@example.com --after 15m', 'only what still waits after 15 minutes']],
    }).argument('<address>', 'your e-mail address'),
  ).action(async (to: string, options: AddOptions) => {
    await addOne(options, { ...toCommon(options), kind: 'email', to });
  });
}

function createWebhook(): Command {
  return addFilterOptions(
    addTestOption(
      createCommand('webhook', {
        summary: 'Send events of the log to a URL, signed as in Standard Webhooks. For admins.',
        examples: [
          ['beckon notify add webhook https://ci.example/hook', 'every event'],
          ['beckon notify add webhook URL --types interaction.requested,interaction.answered', 'only these'],
          ["beckon notify add webhook URL --types 'interaction.*' --project shop", 'of one project'],
        ],
        more: 'The secret that signs is printed once. An address inside the network needs: beckon up --allow-destination HOST',
      })
        .argument('<url>', 'where to send events')
        .option(
          '--types <types>',
          'only these types, separated by commas; interaction.* is all that begin so',
          collectTypes,
        ),
    ),
  ).action(async (url: string, options: AddOptions) => {
    await addOne(options, { ...toCommon(options), kind: 'webhook', url });
  });
}

function createPush(): Command {
  return createCommand('push', {
    summary: 'Only the page itself can add its browser.',
    examples: [['beckon open', 'open the page, then: Settings, Notifications']],
  }).action(() => {
    throw new BeckonError(
      'invalid_input',
      'A browser can be added only on its own page: open it with "beckon open", then Settings, Notifications.',
    );
  });
}

function addOptions(command: Command): Command {
  return addFilterOptions(addWhenOptions(addTestOption(command)));
}

function addTestOption(command: Command): Command {
  return addClientOptions(command).option('--no-test', 'add it without sending anything');
}

function toCommon(options: NotifyOptions) {
  const { label, content } = options;
  return {
    when: toWhen(options),
    filter: toFilter(options),
    ...(label !== undefined && { label }),
    ...(content !== undefined && { content: content as ContentLevel }),
  };
}

async function addOne(options: AddOptions, draft: DestinationDraft): Promise<void> {
  await withDestinations(options, async (destinations) => {
    const added = await destinations.add(draft);
    const { id } = added.destination;
    if (options.json !== true) sayAdded(added);
    const tested = options.test ? await sendTest(destinations, id, options) : undefined;
    if (options.json === true) return printJson({ ...added, ...(tested !== undefined && { test: tested }) });
    if (tested === undefined) note(`It counts once it is proven. Send it a test with: beckon notify test ${id}`);
    else sayTested(id, tested);
  });
}

/** Sends a code or a test, and says so while it is on its way. */
export async function sendTest(
  destinations: Destinations,
  id: string,
  { json }: { json?: boolean },
): Promise<TestReply> {
  if (json !== true) note('Sending a test, which may take up to 15 seconds …');
  return destinations.test(id);
}

/** Says what became of a test, and what to do next. */
export function sayTested(id: string, { result, error, needsCode, destination }: TestReply): void {
  if (result !== 'sent') {
    process.exitCode = EXIT.failed;
    const why = error === undefined ? '' : ` (${error})`;
    note(`It did not arrive${why}. Once that is repaired, run: beckon notify test ${id}`);
  } else if (needsCode) print(`A code was sent to ${destination.target}. Type it with: beckon notify prove ${id} CODE`);
  else print(`It arrived at ${destination.target}.`);
}

function sayAdded({ destination, secret, subscribeTo }: AddedDestination): void {
  print(`Added ${destination.id}.`);
  if (subscribeTo !== undefined)
    print(`Subscribe to ${subscribeTo} in the ntfy app. Whoever knows this topic can read it.`);
  if (secret !== undefined) print(`The secret that signs, which is shown only now: ${secret}`);
}
