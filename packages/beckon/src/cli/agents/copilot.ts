import { homedir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { BeckonError } from '../../protocol/errors.ts';
import { parseObject } from '../claude/json-text.ts';
import { createHookClient, type HookFile } from './hook-client.ts';
import { parseHookLine } from './hook-line.ts';

const HooksFile = z.looseObject({
  hooks: z.record(z.string(), z.array(z.looseObject({ bash: z.optional(z.string()) }))),
});

/** A file that is Beckon's alone: Copilot reads every file of the folder. */
const file: HookFile = {
  path: () => join(process.env['COPILOT_HOME'] || join(homedir(), '.copilot'), 'hooks', 'beckon.json'),
  listLines,
  add: (text, hooks, path) => {
    const lines = text === undefined ? [] : listLines(text, path);
    if (text !== undefined && (lines.length === 0 || !lines.every((line) => parseHookLine('copilot', line) !== null))) {
      throw new BeckonError('invalid_input', `${path} is not Beckon's, so it stays as it is. Move it away first.`);
    }
    const entries = hooks.map(({ event, line, seconds }) => [
      event,
      [{ type: 'command', bash: line, timeoutSec: seconds }],
    ]);
    return `${JSON.stringify({ version: 1, hooks: Object.fromEntries(entries) }, null, 2)}\n`;
  },
  remove: () => undefined,
};

/** Copilot CLI, by a file of hooks. They also work without a terminal. */
export const copilot = createHookClient({
  name: 'copilot',
  title: 'Copilot CLI',
  program: 'copilot',
  tested: '1.0.102',
  kinds: { approval: 'yes', question: 'no', plan_review: 'no', form: 'no' },
  asking: 'permissionRequest',
  reported: ['sessionStart', 'userPromptSubmitted', 'postToolUse', 'agentStop', 'sessionEnd'],
  namesEvents: true,
  file,
});

function listLines(text: string, path: string): unknown[] {
  const parsed = HooksFile.safeParse(parseObject(text, path));
  return parsed.success ? Object.values(parsed.data.hooks).flatMap((entries) => entries.map(({ bash }) => bash)) : [];
}
