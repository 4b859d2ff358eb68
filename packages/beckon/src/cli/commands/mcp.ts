import type { Command } from 'commander';
import { loadMcp } from '../../daemon/load-mcp.ts';
import { readVersion } from '../../daemon/version.ts';
import { addAddressOptions, type ClientOptions, withBeckon } from '../client.ts';
import { createCommand } from '../command.ts';

export function createMcp(): Command {
  return addAddressOptions(
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
      const { createMcpServer, serveStdio } = await loadMcp(loadServer);
      const server = () => createMcpServer({ beckon, version: readVersion(), chatId: options.chat });
      const handle = serveStdio(server);
      // A file such as /dev/null ends, but is not closed.
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
