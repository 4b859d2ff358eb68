import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { CodexConnector, toCodexHome } from '../../adapters/codex/index.ts';
import { writeCodexState } from '../../daemon/daemon-codex.ts';
import { readVersion } from '../../daemon/version.ts';
import { BeckonError } from '../../protocol/errors.ts';
import { findContextLevel } from '../../where/context-level.ts';
import { addAddressOptions, type ClientOptions, withBeckon } from '../client.ts';
import { readCodexState } from '../codex/codex-state.ts';
import { type InspectedCodex, inspectCodex } from '../codex/inspect-codex.ts';
import { createCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { note, paint, print, printJson } from '../output.ts';
import { createLossReport, report, untilStopped } from '../run-in-foreground.ts';

export function createCodex(): Command {
  const codex = addAddressOptions(
    createCommand('codex', {
      summary: 'Bring what Codex asks on this machine to a Beckon elsewhere. Stop with Ctrl-C.',
      examples: [
        ['beckon codex --profile team', 'people answer at a Beckon that you are logged in to'],
        ['beckon codex status', 'show whether Codex is connected, and which sessions'],
      ],
      more:
        'A Beckon on this machine ("beckon up") needs no command: it connects by itself. Turn that off with BECKON_CODEX=off,\n' +
        'or "codex": "off" in its config file. CODEX_HOME names another folder of Codex.',
    }),
  ).action(run);
  codex.addCommand(createStatus());
  return codex;
}

async function run(options: ClientOptions): Promise<void> {
  await withBeckon(
    options,
    async (beckon, { home }, { url }) => {
      const other = readCodexState(home.value);
      if (other !== null) {
        throw new BeckonError(
          'invalid_input',
          `A Beckon (pid ${other.pid}) is connected to Codex already, and two would ask everything twice. ` +
            'Stop it, or start it with BECKON_CODEX=off.',
        );
      }
      const connector = new CodexConnector({
        beckon,
        codexHome: toCodexHome(process.env),
        version: readVersion(),
        // The token says who asks.
        findAsker: () => Promise.resolve({ asks: {}, person: { who: userInfo().username, via: 'terminal' } }),
        onError: report,
        onChange: (state) => {
          writeCodexState(home.value, state);
          const { version, problem, threads } = state;
          note(version === null ? `not connected: ${problem}` : `Codex ${version}, ${threads.length} sessions`);
        },
      });
      connector.start();
      note(`What Codex asks is answered at ${url}`);
      await untilStopped();
      await connector.stop();
    },
    { onError: createLossReport(), contextLevel: findContextLevel(process.env) },
  );
}

function createStatus(): Command {
  return createCommand('status', {
    summary: 'Show whether what Codex asks reaches Beckon, and from which sessions.',
    examples: [
      ['beckon codex status --json', '{ "version", "isTested", "loaded", "attached", "isConnected", "problems" }'],
    ],
    more: 'Exit codes: 0 Codex runs and Beckon is connected to it, 1 otherwise.',
  })
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const found = await inspectCodex();
      process.exitCode = found.isConnected ? EXIT.answered : EXIT.failed;
      if (json === true) printJson(found);
      else show(found);
    });
}

function show({ socket, version, isConnected, loaded, attached, problems }: InspectedCodex): void {
  if (socket !== null) print(`socket    ${socket}`);
  if (version !== null) {
    print(`version   ${version}`);
    print(`sessions  ${loaded.length}, ${attached.length} attached`);
  }
  print(isConnected ? paint('green', 'connected') : paint('yellow', 'not connected'));
  for (const problem of problems) print(problem);
}
