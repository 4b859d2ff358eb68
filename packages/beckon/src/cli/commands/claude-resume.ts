import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import type { Beckon } from '../../core/beckon.ts';
import { BeckonError } from '../../protocol/errors.ts';
import type { Interaction } from '../../protocol/interaction.ts';
import { addAddressOptions, type ClientOptions, withBeckon } from '../client.ts';
import { createCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { note } from '../output.ts';

interface ResumeOptions extends ClientOptions {
  claude: string;
}

const NOT_OURS =
  'The session is deferred again, but not by Beckon: another hook defers the tool named in "deferred_tool_use". ' +
  'Decide it there, then run this command again.';

export function createClaudeResume(): Command {
  const resume = createCommand('resume', {
    summary: 'Wait for the answers to a deferred session, then continue it.',
    examples: [
      ['beckon claude resume SESSION', 'print the result of the session as JSON'],
      ['beckon claude resume SESSION -- --settings ci.json', 'pass more arguments to claude'],
    ],
    more: 'SESSION is the "session_id" that claude -p printed with "stop_reason": "tool_deferred". The exit code is that of claude, or 1 if another hook defers the session.',
  })
    .argument('<session>', 'the deferred session')
    .argument('[arguments...]', 'arguments for claude, after --')
    .option('--claude <path>', 'path of claude', 'claude');
  return addAddressOptions(resume).action(async (session: string, args: string[], options: ResumeOptions) => {
    for (;;) {
      await withBeckon(options, (beckon) => waitForAnswers(beckon, session));
      const before = await findLast(session, options);
      const { code, stdout } = await run(options.claude, [
        '-p',
        '--resume',
        session,
        '--output-format',
        'json',
        ...args,
      ]);
      if (isDeferred(stdout)) {
        // The session may have reached the next tool that waits for a person.
        if ((await findLast(session, options)) !== before) continue;
        note(NOT_OURS);
      }
      process.stdout.write(stdout);
      process.exitCode = isDeferred(stdout) ? EXIT.failed : code;
      return;
    }
  });
}

async function waitForAnswers(beckon: Beckon, sessionId: string): Promise<void> {
  for (;;) {
    const { items } = await beckon.list({ sessionId, status: 'pending' });
    const next: Interaction | undefined = items.at(-1);
    if (next === undefined) return;
    note(`waiting for an answer to ${next.id}. See: beckon show ${next.id}`);
    await beckon.wait(next.id);
  }
}

/** The last request of the session, answered or not. */
async function findLast(sessionId: string, options: ResumeOptions): Promise<string | undefined> {
  const { items } = await withBeckon(options, (beckon) => beckon.list({ sessionId, limit: 1 }));
  return items[0]?.id;
}

function run(program: string, args: readonly string[]): Promise<{ code: number; stdout: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', (error) => {
      reject(
        new BeckonError('invalid_input', `Cannot start ${program} (${error.message}). Give its path with --claude.`, {
          cause: error,
        }),
      );
    });
    child.on('close', (code) => resolve({ code: code ?? 1, stdout: Buffer.concat(chunks).toString() }));
  });
}

function isDeferred(stdout: string): boolean {
  try {
    return (JSON.parse(stdout) as { stop_reason?: unknown }).stop_reason === 'tool_deferred';
  } catch {
    return false;
  }
}
