import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../../.toolchain/claude-code/', import.meta.url));
const lock = fileURLToPath(new URL('../client/package-lock.json', import.meta.url));

/**
 * The real Claude Code; `null` where it was not brought (`node scripts/claude-code.mjs`), except on CI, where it must
 * be there.
 */
export const CLAUDE: string | null = findClaude();
/** The folder whose modules have the Agent SDK. */
export const CLIENT_FOLDER = folder;

function findClaude(): string | null {
  const path = `${folder}node_modules/@anthropic-ai/claude-code-linux-x64/claude`;
  const stamp = `${folder}stamp`;
  const fingerprint = createHash('sha256').update(readFileSync(lock)).digest('hex');
  if (existsSync(path) && existsSync(stamp) && readFileSync(stamp, 'utf8').trim() === fingerprint) return path;
  const advice = 'The real Claude Code is not there. Bring it with: node scripts/claude-code.mjs';
  if (process.env['CI'] === 'true') throw new Error(advice);
  console.warn(`${advice}. Its tests are skipped.`);
  return null;
}
