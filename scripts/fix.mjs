// `npm run fix`: repairs what can be repaired. Both repairs run, also when the first leaves something to do by hand.
import { spawnSync } from 'node:child_process';

for (const command of [
  ['oxlint', '--fix'],
  ['biome', 'check', '--write'],
]) {
  const [tool = '', ...args] = command;
  const { status } = spawnSync(tool, args, { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
