import { type Command, Option } from 'commander';
import { forgetDropped, listSpools, measureSpool } from '../../bridge/elsewhere-spool.ts';
import { toHome, toHomeFile } from '../../where/home.ts';
import { addAddressOptions, type ClientOptions, toWhereFlags } from '../client.ts';
import { createCommand, createGroup } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { sendElsewhere } from '../hook/send-elsewhere.ts';
import { note, print, printJson } from '../output.ts';
import { formatTable } from '../table.ts';

interface SendOptions extends ClientOptions {
  to?: string;
  background?: boolean;
}

/** How long the sender in the background tries without any success. The next hook starts another. */
const PATIENCE_MS = 600_000;
/** How long it waits for more when everything is sent. */
const LINGER_MS = 5000;

export function createSpool(): Command {
  const spool = createGroup('spool', {
    summary: 'Show and send reports of agents that wait for a Beckon elsewhere.',
    examples: [
      ['beckon spool list', 'show what waits, and for which Beckon'],
      ['beckon spool send', 'send it now'],
    ],
    more:
      'Reports wait here while a Beckon elsewhere cannot be reached. Hooks send them by themselves once it can; this is\n' +
      'for those who do not want to wait for the next hook. Reports for this machine’s own Beckon are read when it starts.',
  });
  spool.addCommand(createList());
  spool.addCommand(createSend());
  return spool;
}

function createList(): Command {
  return createCommand('list', {
    summary: 'List what waits, for each Beckon.',
    examples: [['beckon spool list --json', '[{ "url", "folder", "hooks", "bytes", "dropped", "bad" }]']],
  })
    .option('--json', 'print JSON')
    .action(({ json = false }: { json?: boolean }) => {
      const spools = listAll().map(({ folder, url }) => ({ url, folder, ...measureSpool(folder) }));
      if (json) return printJson(spools);
      const waiting = spools.filter(({ hooks, dropped, bad }) => hooks + dropped + bad > 0);
      if (waiting.length === 0) return print('Nothing waits.');
      print(
        formatTable(
          ['waiting for', 'reports', 'KiB', 'lost', 'set aside'],
          waiting.map(({ url, hooks, bytes, dropped, bad }) =>
            [url, hooks, Math.ceil(bytes / 1024), dropped, bad].map(String),
          ),
        ),
      );
      for (const { folder, bad } of waiting) if (bad > 0) note(`Beckon will not take what is in ${folder}/bad`);
    });
}

function createSend(): Command {
  return addAddressOptions(
    createCommand('send', {
      summary: 'Send what waits, in order. What was sent before counts once.',
      examples: [['beckon spool send', 'exit code 0: nothing is left, 6: some of it cannot be sent now']],
    }).option('--json', 'print JSON'),
  )
    .addOption(new Option('--to <url>', 'only what waits for the Beckon at this address'))
    .addOption(new Option('--background', 'try for some minutes, and print nothing').hideHelp())
    .action(async (options: SendOptions) => (options.background === true ? keepSending(options) : sendNow(options)));
}

async function sendNow(options: SendOptions): Promise<void> {
  const { json = false, to } = options;
  const results = [];
  for (const { url, folder } of listAll().filter((one) => to === undefined || one.url === to)) {
    const { dropped } = measureSpool(folder);
    const done = await sendElsewhere(url, toWhereFlags(options), { patienceMs: 0, isUrgent: true });
    const left = measureSpool(folder).hooks;
    results.push({
      url,
      sent: done?.sent ?? 0,
      left,
      dropped,
      ...(done?.fault !== undefined && { fault: done.fault }),
    });
    if (left > 0 && done !== null) process.exitCode = EXIT.unreachable;
    if (json) continue;
    if (done === null) note(`Another process is sending what waits for ${url}.`);
    else if (done.sent > 0) print(`Sent ${done.sent} to ${url}.`);
    for (const { path, why } of done?.bad ?? []) note(`${why} The report was set aside: ${path}`);
    if (done?.fault !== undefined) note(`${left} still wait for ${url}. ${done.fault}`);
    if (dropped > 0) note(`${dropped} were lost, because too much waited for ${url}.`);
    if (left === 0) forgetDropped(folder);
  }
  if (json) printJson(results);
  else if (results.every(({ sent, left }) => sent + left === 0)) print('Nothing waits.');
}

// Stays for a moment when everything is sent: on a slow line the next report follows soon.
async function keepSending(options: SendOptions): Promise<void> {
  await sendElsewhere(options.to ?? '', toWhereFlags(options), { patienceMs: PATIENCE_MS, lingerMs: LINGER_MS });
}

function listAll(): { folder: string; url: string }[] {
  return listSpools(toHomeFile(toHome(process.env), 'elsewhere'));
}
