// An agent of the Claude Agent SDK whose person is reached through Beckon. Prints the last message of the run.
import { pathToFileURL } from 'node:url';
import { canUseTool, onElicitation } from '../../../packages/beckon/src/adapters/claude-agent-sdk/index.ts';
import { openBeckon } from '../../../packages/beckon/src/index.ts';

interface Options {
  sdk: string;
  claude: string;
  store: string;
  prompt: string;
  mode: string;
  mcpServers: object;
}

const options = JSON.parse(process.argv[2] ?? '{}') as Options;
const { query } = (await import(pathToFileURL(options.sdk).href)) as {
  query(input: object): AsyncIterable<{ type: string; result?: string }>;
};
const beckon = await openBeckon({ store: options.store });
const where = { sessionId: options.prompt.replace('SCENARIO:', ''), timeout: '5m' };
const messages = query({
  prompt: options.prompt,
  options: {
    cwd: process.cwd(),
    env: process.env,
    pathToClaudeCodeExecutable: options.claude,
    permissionMode: options.mode,
    settingSources: [],
    mcpServers: options.mcpServers,
    canUseTool: canUseTool(beckon, where),
    onElicitation: onElicitation(beckon, where),
  },
});
for await (const message of messages) if (message.type === 'result') console.log(message.result);
await beckon.close();
