// `npm run bench:remote-hooks`: the hook command with a Beckon elsewhere. bench/README.md explains the figures.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createAuthority } from '../../packages/beckon/src/testing/harness/certificates.ts';
import { saveProfile } from '../../packages/beckon/src/where/profiles.ts';
import { startBeckon, startHook, startNothing, time, toEnv } from '../beckon-process.ts';
import { compareSamples, type Figure, type Section } from '../figure.ts';
import { toPercentile } from '../http/percentile.ts';
import { type BenchContext, runBench } from '../run-bench.ts';
import { type DistantLine, openDistantLine } from './distant-line.ts';

interface Effort {
  /** How often each command runs. */
  commands: number;
}

const ROUND_TRIP_MS = 30;
const WARM_UP = 3;
const COMMAND = 'npm test';

const HOOKS = {
  report: {
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_input: { command: COMMAND },
    tool_response: { stdout: 'ok\n'.repeat(20), stderr: '', interrupted: false },
    tool_use_id: 'toolu_bench',
  },
  ask: { hook_event_name: 'PermissionRequest', tool_name: 'Bash', tool_input: { command: COMMAND } },
} as const;
type HookName = keyof typeof HOOKS;

/** A machine on which Claude Code runs, and how far away its Beckon is. */
interface Place {
  env: NodeJS.ProcessEnv;
  folder: string;
  /** Absent where Beckon is on this machine. */
  line?: DistantLine;
}

type PlaceName = 'local' | 'near' | 'far';
/** How long each run took, in milliseconds. */
type Runs = Record<PlaceName | 'node', number[]>;

await runBench<Effort>({
  name: 'remote-hooks',
  parts: ['report', 'ask'],
  efforts: { full: { commands: 100 }, quick: { commands: 10 } },
  run: benchRemoteHooks,
});

async function* benchRemoteHooks({ folder, effort, hasPart }: BenchContext<Effort>): AsyncGenerator<Section> {
  const authority = createAuthority(folder);
  const { cert, key } = authority.issue('beckon', ['127.0.0.1']);
  const local = await startBeckon(join(folder, 'local'));
  const remote = await startBeckon(join(folder, 'remote'), ['--tls-cert', cert, '--tls-key', key]);
  const lines: DistantLine[] = [];
  try {
    for (const beckon of [local, remote]) await beckon.run('rules', 'add', '--allow', COMMAND, '--yes');
    const [token = ''] = await remote.createTokens([{ name: 'laptop', role: 'agent', owner: 'ada' }]);
    const open = async (name: string, roundTripMs: number): Promise<Place> => {
      const line = await openDistantLine(Number(new URL(remote.url).port), roundTripMs);
      lines.push(line);
      const home = join(folder, name);
      // As `beckon login` leaves it.
      const profile = { url: `https://127.0.0.1:${line.port}`, token, name: 'laptop', owner: 'ada' };
      saveProfile(home, 'default', { ...profile, savedAt: new Date().toISOString() });
      return { env: toEnv(home, { NODE_EXTRA_CA_CERTS: authority.file }), folder: home, line };
    };
    const places = {
      local: { env: toEnv(local.home), folder: local.home },
      near: await open('near', 0),
      far: await open('far', ROUND_TRIP_MS),
    };
    for (const name of ['report', 'ask'] as const) if (hasPart(name)) yield await benchHook(name, places, effort);
  } finally {
    await Promise.all([local.stop(), remote.stop()]);
    await Promise.all(lines.map((line) => line.close()));
  }
}

async function benchHook(hook: HookName, places: Record<PlaceName, Place>, { commands }: Effort): Promise<Section> {
  const { local, near, far } = places;
  const runs: Runs = { local: [], near: [], far: [], node: [] };
  for (let round = -WARM_UP; round < commands; round += 1) {
    const took = {
      local: await runHook(hook, local),
      near: await runHook(hook, near),
      far: await runHook(hook, far),
      node: await time(startNothing(local.env)),
    };
    if (round < 0) continue;
    for (const place of ['local', 'near', 'far', 'node'] as const) runs[place].push(took[place]);
  }
  const { each, connections } = countRoundTrips(far, WARM_UP + commands);
  return {
    name:
      hook === 'report' ? 'A hook that reports (PostToolUse)' : 'A permission that a rule decides (PermissionRequest)',
    figures: [
      ...compare('Beckon here', runs.local, 'node -e 0', runs.node),
      ...compare('elsewhere, 0 ms away', runs.near, 'here', runs.local),
      ...compare(`elsewhere, ${ROUND_TRIP_MS} ms away`, runs.far, 'here', runs.local),
    ],
    notes: [
      'The hook command from its start to its end. Elsewhere: a profile, HTTPS, through a line in the benchmark that delays.',
      `Counted on that line, for each hook: ${connections} connection, ${each} round trips (one to connect; TLS; the request).`,
    ],
  };
}

function compare(name: string, samples: readonly number[], besideName: string, beside: readonly number[]): Figure[] {
  const p99 = (values: readonly number[]): number[] => [toPercentile(values, 99)];
  return [
    compareSamples({ name: `${name}, p50`, unit: 'ms', samples, beside: { name: besideName, samples: beside } }),
    compareSamples({
      name: `${name}, p99`,
      unit: 'ms',
      samples: p99(samples),
      beside: { name: besideName, samples: p99(beside) },
    }),
  ];
}

async function runHook(name: HookName, { env, folder }: Place): Promise<number> {
  const child = startHook(env, JSON.stringify({ session_id: 'bench', cwd: folder, ...HOOKS[name] }));
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const took = await time(child);
  // The command never fails: if a hook does not arrive, it waits in a folder, or nothing is said about a permission.
  const isWrong = name === 'ask' ? !said.includes('"allow"') : said !== '';
  if (isWrong || ['spool', 'elsewhere'].some((waiting) => existsSync(join(folder, waiting)))) {
    throw new Error(`Expected the hook to arrive, got ${JSON.stringify(said)}`);
  }
  return took;
}

/** How many of both a hook needed, on average. Counts from here on. */
function countRoundTrips({ line }: Place, hooks: number): { each: number; connections: number } {
  if (line === undefined) throw new Error('Expected a line');
  const counted = { each: line.roundTrips / hooks, connections: line.connections / hooks };
  line.roundTrips = 0;
  line.connections = 0;
  return counted;
}
