import type { Command } from 'commander';
import { BeckonError } from '../../protocol/errors.ts';
import { addClientOptions, type ClientOptions, withBeckon } from '../client.ts';
import { createCommand } from '../command.ts';
import { readVersion } from '../version.ts';

export function createMcp(): Command {
  return addClientOptions(
    createCommand('mcp', {
      summary: 'Serve MCP on stdin and stdout: tools with which any MCP client asks people.',
      examples: [
        ['claude mcp add beckon -- beckon mcp', 'for Claude Code'],
        ['beckon mcp --chat ops', 'people are asked in the conversation "ops"'],
      ],
      more: 'Tools: ask_question, request_approval, review_plan, fill_form. The same tools are at /mcp of a Beckon that runs.',
    }).option('--chat <id>', 'the conversation in which people are asked'),
  ).action((options: ClientOptions & { chat?: string }) =>
    withBeckon(options, async (beckon) => {
      const { createMcpServer, serveStdio } = await loadMcp();
      const server = () => createMcpServer({ beckon, version: readVersion(), chatId: options.chat });
      const handle = serveStdio(server);
      await new Promise((resolve) => process.stdin.once('close', resolve));
      await handle.close();
    }),
  );
}

/** The packages that not everybody needs. */
async function loadMcp() {
  try {
    const [{ createMcpServer }, { serveStdio }] = await Promise.all([
      import('../../adapters/mcp/index.ts'),
      import('@modelcontextprotocol/server/stdio'),
    ]);
    return { createMcpServer, serveStdio };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw toMissing(error);
  }
}

function toMissing(cause: unknown): BeckonError {
  return new BeckonError(
    'invalid_input',
    'MCP needs two more packages. Install them beside beckon: npm install @modelcontextprotocol/server @modelcontextprotocol/node',
    { cause },
  );
}
