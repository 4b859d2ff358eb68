// `npm run fix`: repairs what can be repaired. The second repair runs even if the first leaves work for you.
import { spawnSync } from 'node:child_process';

for (const command of [
  ['oxlint', '--fix'],
  ['biome', 'check', '--write'],
]) {
  const [tool = '', ...args] = command;
  const { status } = spawnSync(tool, args, { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
