// `npm run bench:bridge`: hooks through the bridge. bench/README.md explains the figures.
import type { Section } from '../figure.ts';
import { type BenchContext, runBench } from '../run-bench.ts';
import { benchDrain } from './drain.ts';
import { type Effort, FULL, QUICK } from './effort.ts';
import { benchHookCommand, benchHookContext } from './hook-command.ts';
import { benchReplies } from './replies.ts';

await import('express').catch(() => {
  console.error('bench:bridge measures beside Express, which is not installed. Run: npm install');
  process.exit(1);
});

await runBench({
  name: 'bridge',
  parts: ['reply', 'throughput', 'drain', 'hook-command', 'hook-context'],
  efforts: { full: FULL, quick: QUICK },
  run: runParts,
});

async function* runParts({ folder, effort, hasPart }: BenchContext<Effort>): AsyncGenerator<Section> {
  if (hasPart('reply')) yield await benchReplies(folder, effort, 1);
  if (hasPart('throughput')) yield await benchReplies(folder, effort, 64);
  if (hasPart('drain')) yield await benchDrain(folder, effort);
  if (hasPart('hook-command')) yield await benchHookCommand(folder, effort);
  if (hasPart('hook-context')) yield await benchHookContext(folder, effort);
}
