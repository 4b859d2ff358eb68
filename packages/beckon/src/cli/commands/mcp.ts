import type { Command } from 'commander';
import { loadMcp } from '../../daemon/load-mcp.ts';
import { readVersion } from '../../daemon/version.ts';
import { addAddressOptions, type ClientOptions, withBeckon } from '../client.ts';
import { createCommand } from '../command.ts';

export function createMcp(): Command {
  return addAddressOptions(
    createCommand('mcp', {
      summary: 'Run an MCP server on stdin and stdout, so any MCP client can ask people.',
      examples: [
        ['claude mcp add beckon -- beckon mcp', 'add it to Claude Code'],
        ['beckon mcp --chat ops', 'ask in the chat "ops"'],
        ['beckon mcp --profile team', 'ask at a Beckon that you are logged in to'],
      ],
      more: 'Tools: ask_question, ask_questions, request_approval, review_plan, fill_form. A running Beckon serves the same tools at /mcp.',
    }).option('--chat <id>', 'the chat to ask in'),
  ).action((options: ClientOptions & { chat?: string }) =>
    withBeckon(options, async (beckon) => {
      const { createMcpServer, serveStdio } = await loadMcp(loadServer);
      const server = () => createMcpServer({ beckon, version: readVersion(), chatId: options.chat });
      const handle = serveStdio(server);
      // A file such as /dev/null ends without closing.
      await new Promise((resolve) => process.stdin.once('end', resolve).once('close', resolve));
      await handle.close();
    }),
  );
}

async function loadServer() {
  const [{ createMcpServer }, { serveStdio }] = await Promise.all([
    import('../../adapters/mcp/index.ts'),
    import('@modelcontextprotocol/server/stdio'),
  ]);
  return { createMcpServer, serveStdio };
}
