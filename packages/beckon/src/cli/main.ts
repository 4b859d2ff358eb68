#!/usr/bin/env node
// Nothing heavy may be imported here: `beckon --version` takes about as long as Node itself.
import { readVersion } from './version.ts';

const [first] = process.argv.slice(2);
if (first === '--version' || first === '-V') {
  process.stdout.write(`${readVersion()}\n`);
} else {
  const { runCli } = await import('./run-cli.ts');
  process.exitCode = await runCli(process.argv.slice(2));
}
